"""A printed number goes in, the convention behind it comes out; or two numbers, and the decisions between them."""
