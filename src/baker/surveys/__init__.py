"""Surveys: many deals decided into a directory of Parquet files, and what came of them."""

from baker.surveys.plots import plot
from baker.surveys.store import SurveyError
from baker.surveys.summary import Interval, Spread, Summary, wilson
from baker.surveys.survey import Progress, Survey

__all__ = ["Interval", "Progress", "Spread", "Summary", "Survey", "SurveyError", "plot", "wilson"]
