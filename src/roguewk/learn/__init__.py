"""What a log tells about how arms wear off and recover; `fit` is the function, so the folder has another name."""
