"""All files of the paper's experiment."""

from roguewk.experiment.paper.experiment import Paper
from roguewk.experiment.paper.figures import paper_figures
from roguewk.experiment.paper.report import report_html
from roguewk.show.tables import csv_bytes, parquet_bytes


def paper_files(paper: Paper) -> dict[str, bytes]:
    """The report, the pictures and the data by file name."""
    figures = paper_figures(paper)
    return {
        "runs.csv": csv_bytes(paper.runs),
        "runs.parquet": parquet_bytes(paper.runs),
        "bounds.csv": csv_bytes(paper.bounds),
        "choices.csv": csv_bytes(paper.choices_frame()),
        **figures,
        "report.html": report_html(paper, figures),
    }
