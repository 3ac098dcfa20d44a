"""The catalogue of models and the trackers' settings, packaged as data: `importlib.resources.files("segmenter.models")`."""
