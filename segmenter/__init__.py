"""A recording goes in; timestamped chunks for multimodal RAG come out."""
