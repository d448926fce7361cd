"""Tables too large for one machine's memory go in, evaluated part by part; scores come out."""
