"""Labels of every kind come back as they went in."""

import numpy as np
import pytest

import accrete
from accrete import BoostedNetworkClassifier

KINDS = {
    "integers": [3, -1, 10],
    "floats": [1.0, 2.0, 5.0],
    "texts": ["ash", "birch", "cedar"],
    "texts of numbers": ["10", "9", "100"],
    "words for nothing": ["none", "NA", "nan"],
    "accents and quotes": ["é", 'a "b"', "x,y"],
    "booleans": [True, False],
}


@pytest.mark.parametrize("kind", KINDS)
def test_labels(kind, three_classes, tmp_path):
    X, y = three_classes
    labels = np.array(KINDS[kind])
    given = labels[y % len(labels)]
    fitted = BoostedNetworkClassifier(n_units=40, random_state=0).fit(X, given)
    assert fitted.classes_.tolist() == np.unique(labels).tolist()
    predicted = fitted.predict(X)
    assert predicted.dtype == labels.dtype and np.mean(predicted == given) > 0.7
    probabilities = fitted.predict_proba(X)
    np.testing.assert_array_equal(fitted.classes_[probabilities.argmax(axis=1)], predicted)
    fitted.save(tmp_path / "m.safetensors")
    again = accrete.load(tmp_path / "m.safetensors")
    assert sorted(map(str, again.classes_)) == sorted(accrete._frames.text_of(c) for c in fitted.classes_)


def test_a_column_of_labels_is_flattened_with_a_warning(three_classes):
    from sklearn.exceptions import DataConversionWarning

    X, y = three_classes
    with pytest.warns(DataConversionWarning):
        BoostedNetworkClassifier(n_units=4).fit(X, y[:, None])
