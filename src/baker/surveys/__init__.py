"""Surveys: many deals decided into a directory of Parquet files, and what came of them."""

from baker.surveys.gatherer import Progress
from baker.surveys.plots import plot
from baker.surveys.selection import MOST_LISTED
from baker.surveys.store import SurveyError
from baker.surveys.summary import Interval, Spread, Summary, wilson
from baker.surveys.survey import Survey

__all__ = ["MOST_LISTED", "Interval", "Progress", "Spread", "Summary", "Survey", "SurveyError", "plot", "wilson"]
