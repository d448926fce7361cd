"""The site: the pages of docs go in, a static site comes out that needs no server and no network."""
