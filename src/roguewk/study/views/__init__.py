"""What a study shows, as data: axes, heat maps, curves, histograms, single runs, sentences, looks of policies."""
