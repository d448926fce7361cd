"""How often intervals hold the mean, tests reject in vain, and families of tests do: by simulation."""
