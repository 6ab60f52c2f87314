#!/usr/bin/python3
"""Prints the literals of logistic_regression_test.cc and tf_idf_test.cc, made by scikit-learn.

Run: python3 tests/linear/make_expected.py
"""
import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import normalize

# The twelve documents and two labels that the tests spell out as well.
DOCUMENTS = [
    [2, 3, 4], [2, 3, 5, 5], [2, 4, 4, 4], [3, 4, 6], [2, 6, 7], [6, 7, 7, 8],
    [5, 7, 8], [6, 8], [2, 8, 8, 5], [3, 7, 5], [4, 6, 2, 2], [7],
]
LABELS = {
    "common": [1, 1, 1, 1, 0, 0, 0, 0, 1, 0, 1, 0],
    "rare": [0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0],
}
VOCABULARY = [str(i) for i in range(9)]
PAIRS = ["2 3", "3 4", "4 6", "6 7", "7 8"]  # those that two documents hold


def numbers(values):
    return "{" + ", ".join(f"{v:.6f}" for v in values) + "}"


def vectorised(binary, pairs=False):
    vectorizer = TfidfVectorizer(vocabulary=VOCABULARY + (PAIRS if pairs else []), norm=None,
                                 ngram_range=(1, 2) if pairs else (1, 1), token_pattern=r"\d+",
                                 binary=binary, sublinear_tf=not binary)
    x = vectorizer.fit_transform([" ".join(map(str, d)) for d in DOCUMENTS])
    weights = np.where(np.arange(x.shape[1]) < len(VOCABULARY), 1, 0.5)  # pairs count half
    return normalize(x.multiply(weights).tocsr()), vectorizer


for binary in (True, False):
    x, vectorizer = vectorised(binary)
    print("binary" if binary else "sublinear")
    print("  idf of words 2 to 8", numbers(vectorizer.idf_[2:]))
    for row in (1, 5, 10):
        print(f"  row {row}: columns {x[row].indices.tolist()}", numbers(x[row].data))

x, vectorizer = vectorised(binary=False, pairs=True)
print("sublinear with pairs")
print("  idf of the pairs", numbers(0.5 * vectorizer.idf_[9:]))
for row in (0, 1, 5, 10):
    order = np.argsort(x[row].indices)
    print(f"  row {row}: columns {x[row].indices[order].tolist()}", numbers(x[row].data[order]))

x, _ = vectorised(binary=False)
for name, labels in LABELS.items():
    for strength in (0.5, 8.0, 100.0):
        model = LogisticRegression(C=strength, solver="lbfgs", tol=1e-12, max_iter=100000)
        model.fit(x, labels)
        margins = np.where(np.array(labels) == 1, 1, -1) * model.decision_function(x)
        objective = (0.5 * (model.coef_ ** 2).sum() + strength * np.logaddexp(0, -margins).sum())
        print(f"label {name}, C {strength}: bias {model.intercept_[0]:.6f}, "
              f"objective {objective:.6f}")
        print("  weights of words 2 to 8", numbers(model.coef_[0, 2:]))
        print("  probabilities", numbers(model.predict_proba(x)[:, 1]))
