"""Numbers of chunking_evaluation for made-up spans and chunks."""
