"""Class labels: as codes into classes_ (y), and as text (model file)."""

import decimal
import re

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d

from accrete._frames import text_of
from accrete._inputs import refuse_dates, unused_name


# Python's float also takes "1_1", "nan" and digits of other scripts, which are text to the library.
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def _are_numbers(texts):
    return all(NUMBER.fullmatch(text) for text in texts)


def parse_labels(texts):
    """The labels as an array: bools if they are False and True, numbers if all are numbers, otherwise strings."""
    if texts == ["False", "True"]:
        return np.array([False, True])
    if not _are_numbers(texts):
        return np.array(texts)
    numbers = [float(text) for text in texts]
    if all(number.is_integer() for number in numbers):
        integers = [int(decimal.Decimal(text)) for text in texts]  # exact beyond 2^53, where floats are not
        return np.array(integers, dtype=_integer_type(integers))
    return np.array(numbers if len(set(numbers)) == len(numbers) else texts)


SAME_NUMBER = "y: two classes are the same number written differently; rename one"


def _is_one_number(texts):
    """Whether all texts are the same number, such as "1" and "01"."""
    return _are_numbers(texts) and len({decimal.Decimal(text) for text in texts}) == 1


def _integer_type(integers):
    """An integer type that can hold all values; NumPy would convert integers on both sides of 2^63 to floats."""
    for candidate in (np.int64, np.uint64):
        if np.iinfo(candidate).min <= min(integers) and max(integers) <= np.iinfo(candidate).max:
            return candidate
    return object


def _refuse_missing(labels):
    """Raises ValueError for None, NaN and pandas.NA, which cannot be compared with other labels."""
    for row, label in enumerate(labels.tolist()):
        is_nan = isinstance(label, float) and label != label
        if label is None or is_nan or type(label).__name__ in ("NAType", "NaTType"):
            raise ValueError(f"y: the label of row {row} (counting from 0) is missing")


class ClassLabels:
    """Mixin that converts between labels, codes into classes_ and the order of the model's outputs.

    ``_places`` has the index of each of classes_ in the model's outputs, or is None if the order is the same.
    """

    def _original_y(self, codes):
        return self.classes_[codes]

    def _as_given(self, codes, probabilities):
        """Converts targets and predictions to the form of eval_metric: labels, and columns in the order of classes_."""
        order = self._library_order()
        return self.classes_[np.array(order)[codes.astype(int)]], probabilities[:, np.argsort(order)]

    def _library_order(self):
        """The places of classes_ in the order of the library, which sorts labels that are numbers as numbers."""
        texts, order = self._class_texts(), list(range(len(self.classes_)))
        return sorted(order, key=lambda place: float(texts[place])) if _are_numbers(texts) else order

    def _refuse_reversed_classes(self, argument):
        """Raises ValueError for an argument that refers to the second class, if the library's is another."""
        if len(self.classes_) == 2 and self._library_order() != [0, 1]:
            first, second = self.classes_.tolist()
            raise ValueError(
                f"{argument}: refers to the second class, and the labels {first!r} and {second!r} are numbers as text, "
                "which sort differently as numbers; convert y to numbers"
            )

    def _to_class_order(self, probabilities):
        """Reorders columns: the library sorts labels that look like numbers as numbers, classes_ sorts them as text."""
        return probabilities if self._places is None else probabilities[:, self._places]

    def _check_y(self, y, rows, known=False):
        """The labels as codes into classes_, which is set unless the labels must be known."""
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None."
            )
        y = column_or_1d(y, warn=True)
        check_consistent_length(np.empty((rows, 1)), y)
        if y.dtype == object:
            _refuse_missing(y)
        refuse_dates(y)
        check_classification_targets(y)
        if not known:
            self.classes_ = self._ranks.unique(y)
            if len(self.classes_) < 2:
                only = self.classes_.tolist()[0]
                raise ValueError(f"y has only one class, {only!r}; a classifier needs at least two")
            return np.searchsorted(self.classes_, y).astype(np.int32)
        code_of = {label: code for code, label in enumerate(self.classes_.tolist())}
        unknown = [label for label in np.unique(y).tolist() if label not in code_of]
        if unknown:
            raise ValueError(f"y has the class {unknown[0]!r}, which the fitted model does not know")
        return np.array([code_of[label] for label in y.tolist()], dtype=np.int32)

    def _task(self):
        return "binary" if len(self.classes_) == 2 else "multiclass"

    def _add_target(self, table, codes, names=None):
        """Adds the target column and returns a list with its name."""
        texts = self._class_texts()
        if len(set(texts)) < len(texts):
            raise ValueError("y: two classes have the same text; rename one")
        if _is_one_number(texts):
            raise ValueError(SAME_NUMBER)
        names = names or [unused_name(self._target_name or "target", table.names)]
        table.add_text(names[0], codes, texts)
        return list(names)

    def _class_positions(self, model):
        """The index of each of classes_ in the model's outputs, or None if the order is the same."""
        try:
            positions = [model.classes.index(text) for text in self._class_texts()]
        except ValueError:  # read from a file that writes labels differently; classes_ has the file's order
            return None
        return None if positions == sorted(positions) else positions

    def _class_texts(self):
        return [text_of(label) for label in self.classes_]

    def _set_text_classes(self, texts):
        """Sets the labels of an estimator made by _from_model, whose labels may have been parsed as numbers."""
        self.classes_ = np.array(texts)
        self._places = self._class_positions(self.model_)
