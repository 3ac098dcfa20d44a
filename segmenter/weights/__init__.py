"""Model names to local, checked files: `locate` finds, `fetch` brings. The only room that downloads."""

from segmenter.weights.fetching import fetch
from segmenter.weights.store import locate

__all__ = ["fetch", "locate"]
