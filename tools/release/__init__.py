"""The steps of a release: what .github/workflows/release.yml runs, and `make release-check` as far as it can here."""
