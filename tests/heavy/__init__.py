"""The last ring, run by `make test-all`: what needs a server, a browser, Java, a language model or a large library."""
