"""Class labels of all types are preserved."""

import numpy as np
import pytest

import accrete
from accrete import BoostedNetworkClassifier

KINDS = {
    "integers": [3, -1, 10],
    "floats": [1.0, 2.0, 5.0],
    "texts": ["ash", "birch", "cedar"],
    "numbers as texts": ["10", "9", "100"],
    "words for missing values": ["none", "NA", "nan"],
    "accents and quotes": ["é", 'a "b"', "x,y"],
    "booleans": [True, False],
}


@pytest.mark.parametrize("kind", KINDS)
def test_labels_of_all_types_are_preserved(kind, three_classes, tmp_path):
    X, y = three_classes
    labels = np.array(KINDS[kind])
    target = labels[y % len(labels)]
    fitted = BoostedNetworkClassifier(n_units=40, random_state=0).fit(X, target)
    assert fitted.classes_.tolist() == np.unique(labels).tolist()
    predicted = fitted.predict(X)
    assert predicted.dtype == labels.dtype and np.mean(predicted == target) > 0.7
    probabilities = fitted.predict_proba(X)
    np.testing.assert_array_equal(fitted.classes_[probabilities.argmax(axis=1)], predicted)
    fitted.save(tmp_path / "m.safetensors")
    again = accrete.load(tmp_path / "m.safetensors")
    if kind != "floats":
        assert sorted(map(str, again.classes_)) == sorted(map(str, fitted.classes_))
    if kind in ("integers", "booleans", "texts"):
        assert again.classes_.dtype.kind == fitted.classes_.dtype.kind
        assert again.score(X, target) == fitted.score(X, target)
    np.testing.assert_allclose(np.sort(again.predict_proba(X)), np.sort(probabilities))


@pytest.mark.parametrize("notation", ["1.0 2.0 3.0", "1.00 +2 1e3", "007 01 -0"])
def test_numbers_in_other_notations_are_read(notation, three_classes, run, tmp_path):
    X, y = three_classes
    labels = notation.split()
    lines = [",".join([*map(repr, map(float, row)), labels[k]]) for row, k in zip(X, y)]
    (tmp_path / "d.csv").write_text("\n".join(["a,b,c,d,e,y", *lines, ""]))
    run("train", tmp_path / "d.csv", "--task", "multiclass", "--units", 40, "-o", tmp_path / "m.safetensors")
    loaded = accrete.load(tmp_path / "m.safetensors")
    target = np.array([float(label) for label in labels])[y]
    assert loaded.score(X, target) > 0.8
    assert loaded.grow(X, target.astype(int), n_units=60).score(X, target) > 0.8


HUGE = {
    "equal as floats": np.array([2**53, 2**53 + 1]),
    "beyond int64": np.array([2**63 - 1, 2**63, 2**64 - 1], dtype=np.uint64),
    "negative": np.array([-(2**53) - 1, -(2**53), 7]),
}


@pytest.mark.parametrize("kind", HUGE)
def test_large_integers_keep_all_digits(kind, three_classes, tmp_path):
    X, y = three_classes
    labels = HUGE[kind]
    target = labels[y % len(labels)]
    fitted = BoostedNetworkClassifier(n_units=40, random_state=0).fit(X, target)
    assert fitted.classes_.tolist() == sorted(labels.tolist())
    assert fitted.score(X, target) > 0.7
    fitted.save(tmp_path / "m.safetensors")
    again = accrete.load(tmp_path / "m.safetensors")
    assert again.classes_.dtype == fitted.classes_.dtype and again.classes_.tolist() == sorted(labels.tolist())
    np.testing.assert_array_equal(again.predict(X), fitted.predict(X))


def test_integers_beyond_64_bits_are_read(three_classes, run, tmp_path):
    X, y = three_classes
    labels = [f"-{10**20 + 1}", "5", f"{10**20 + 2}"]
    lines = [",".join([*map(repr, map(float, row)), labels[k]]) for row, k in zip(X, y)]
    (tmp_path / "d.csv").write_text("\n".join(["a,b,c,d,e,y", *lines, ""]))
    run("train", tmp_path / "d.csv", "--task", "multiclass", "--units", 10, "-o", tmp_path / "m.safetensors")
    assert accrete.load(tmp_path / "m.safetensors").classes_.tolist() == [int(label) for label in labels]


def test_a_column_vector_is_flattened_with_a_warning(three_classes):
    from sklearn.exceptions import DataConversionWarning

    X, y = three_classes
    with pytest.warns(DataConversionWarning):
        BoostedNetworkClassifier(n_units=4).fit(X, y[:, None])


@pytest.mark.parametrize("labels", [["1_1", "1_2"], ["nan", "1"], [" 1", " 2"], ["１", "２"]])
def test_texts_that_only_python_reads_as_numbers_stay_texts(labels, tmp_path):
    X = np.random.RandomState(0).normal(size=(60, 2))
    y = np.array(labels)[(X[:, 0] > 0).astype(int)]
    fitted = BoostedNetworkClassifier(n_units=8, auto=False, random_state=0).fit(X, y)
    fitted.save(tmp_path / "m.safetensors")
    again = accrete.load(tmp_path / "m.safetensors")
    assert again.classes_.tolist() == fitted.classes_.tolist() == sorted(labels)


@pytest.mark.parametrize(
    "parameters, arguments", [({"monotonic_cst": [1, 0]}, {}), ({}, {"init_score": np.zeros(60)})]
)
def test_refuses_what_refers_to_the_second_class_if_its_place_is_unclear(parameters, arguments):
    X = np.random.RandomState(0).normal(size=(60, 2))
    y = np.where(X[:, 0] > 0, "9", "10")  # as text, "10" comes first; as numbers, 9
    estimator = BoostedNetworkClassifier(n_units=8, auto=False, random_state=0, **parameters)
    with pytest.raises(ValueError, match="second class.*convert y to numbers"):
        estimator.fit(X, y, **arguments)
    estimator.fit(X, y.astype(int), **arguments)
    estimator.fit(X, np.where(y == "9", "a", "b"), **arguments)
