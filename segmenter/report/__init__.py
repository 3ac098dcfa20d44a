"""A finished segmentation to look at: a page, stills and plots."""
