"""BoostedHead on modules as people have them: half precision, compiled, loaders with workers, and wrong ones."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402
from torch.utils.data import DataLoader, Dataset, TensorDataset  # noqa: E402
from boosted_heads import SETTINGS, Net, fitted, images, outputs  # noqa: E402, F401  (fixtures)

from accrete.torch import BoostedHead  # noqa: E402

needs_compile = pytest.mark.skipif(not hasattr(torch, "compile"), reason="this PyTorch has no torch.compile")
needs_export = pytest.mark.skipif(not hasattr(getattr(torch, "export", None), "Dim"), reason="no torch.export")


class Features(Net):
    """Net without its last layer."""

    def forward(self, x):
        return self.dense(self.conv(x))


# Half precision.


def require_convolution(dtype):
    """Skips the test if this PyTorch has no convolution of the type on this processor."""
    try:
        nn.Conv2d(1, 1, 3).to(dtype)(torch.zeros(1, 1, 4, 4, dtype=dtype))
    except RuntimeError as error:
        pytest.skip(f"no convolution in {dtype} here: {error}")


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_half_precision_backbones_have_heads_in_single_precision(images, fitted, dtype, tmp_path):
    x, y = images
    require_convolution(getattr(torch, dtype))
    net = BoostedHead(Net().to(getattr(torch, dtype)), cut="dense", **SETTINGS).fit(x, y)
    assert net(x).dtype == torch.float32 and net.features(x).dtype == torch.float32
    assert np.mean(net.predict(x) == fitted.predict(x)) > 0.95
    np.testing.assert_array_equal(outputs(net, x.to(getattr(torch, dtype))), outputs(net, x))
    np.testing.assert_allclose(outputs(net.script(), x, 8), outputs(net, x, 8), atol=0.05)
    assert next(net.features.parameters()).dtype == getattr(torch, dtype)


def test_autocast_reaches_the_backbone_but_not_the_head(images, fitted):
    x, _ = images
    require_convolution(torch.bfloat16)
    seen = []
    hook = fitted.features.backbone.dense[1].register_forward_hook(lambda module, inputs, out: seen.append(out.dtype))
    with torch.autocast("cpu", torch.bfloat16):
        mixed = fitted(x)
        stages = [stage.dtype for stage in fitted.staged(x[:3])]
    hook.remove()
    assert seen == [torch.bfloat16] * 2 and mixed.dtype == torch.float32 and set(stages) == {torch.float32}
    with torch.no_grad():
        np.testing.assert_allclose(mixed.detach(), fitted(x), atol=0.05)
        features = fitted.features(x)
        exact = fitted.head(features)
        with torch.autocast("cpu", torch.bfloat16):
            np.testing.assert_array_equal(fitted._apply_head(features, None), exact)


def test_double_inputs_are_taken(images, fitted):
    x, _ = images
    np.testing.assert_array_equal(outputs(fitted, x.double()), outputs(fitted, x))


# Loaders.


def test_a_loader_with_workers_gives_the_same_head(images, fitted):
    x, y = images
    loader = DataLoader(TensorDataset(x, y), batch_size=50, num_workers=2)
    net = BoostedHead(Net(), cut="dense", **SETTINGS).fit(loader)
    np.testing.assert_array_equal(outputs(net, x), outputs(fitted, x))
    assert net.score(loader) == fitted.score(x, y)


class MixedSizes(Dataset):
    def __len__(self):
        return 12

    def __getitem__(self, row):
        return torch.zeros(1, 8 if row < 9 else 10, 8), row % 3


@pytest.mark.parametrize("workers", [0, 1])
def test_images_of_mixed_sizes_are_named(workers):
    net = BoostedHead(Net(), **SETTINGS)
    with pytest.raises(ValueError, match=r"batch 3 of the loader: examples of \[1, 8, 8\] and \[1, 10, 8\].*one size"):
        net.fit(DataLoader(MixedSizes(), batch_size=4, num_workers=workers))
    with pytest.raises(ValueError, match="batch 4: examples of 1 x 10 x 8, earlier ones of 1 x 8 x 8"):
        net.fit(DataLoader(MixedSizes(), batch_size=3, num_workers=workers))


def test_other_errors_of_loader_and_backbone_pass_through():
    class Broken(MixedSizes):
        def __getitem__(self, row):
            raise RuntimeError("disk on fire")

    with pytest.raises(RuntimeError, match="disk on fire"):
        BoostedHead(Net()).fit(DataLoader(Broken()))
    with pytest.raises(RuntimeError, match="channels"):
        BoostedHead(Net()).fit(torch.zeros(4, 2, 8, 8), torch.arange(4))


# Memory of the device.


class Small(Net):
    """A backbone on a device with memory for a few examples."""

    def __init__(self, limit):
        super().__init__()
        self.limit, self.sizes = limit, []

    def forward(self, x):
        if len(x) > self.limit:
            raise torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
        self.sizes.append(len(x))
        return self.dense(self.conv(x))


def test_a_batch_too_large_for_the_device_is_computed_in_halves(images, fitted):
    x, y = images
    backbone = Small(13)
    features, _ = BoostedHead(backbone, feature_batch=50, **SETTINGS)._compute_features(x, y)
    assert max(backbone.sizes) <= 13 and sum(backbone.sizes) == len(x)
    np.testing.assert_allclose(features, outputs(fitted.features, x), atol=1e-5)
    with pytest.raises(MemoryError, match="cpu has too little memory for the features of one example"):
        BoostedHead(Small(0), **SETTINGS).fit(x, y)


# Compiled modules and torch.export.


@needs_compile
def test_compiled_backbones_are_supported(images, fitted, tmp_path):
    x, y = images
    calls = []

    def backend(graph, inputs):
        calls.append(len(inputs))
        return graph.forward

    plain = BoostedHead(Features(), **SETTINGS).fit(x, y)
    net = BoostedHead(torch.compile(Features(), backend=backend), **SETTINGS).fit(x, y)
    assert calls
    np.testing.assert_array_equal(outputs(net, x), outputs(plain, x))
    assert list(net.state_dict()) == list(plain.state_dict())
    plain.load_state_dict(net.state_dict())
    np.testing.assert_allclose(outputs(net.script(), x, 8), outputs(net, x, 8), atol=1e-6)
    torch.save(net, tmp_path / "net.pt")
    again = torch.load(tmp_path / "net.pt", weights_only=False)
    np.testing.assert_array_equal(outputs(again, x), outputs(net, x))
    # A cut reads the names of the module that was compiled.
    cut = BoostedHead(torch.compile(Net(), backend=backend), cut="dense", **SETTINGS).fit(x, y)
    np.testing.assert_allclose(outputs(cut, x), outputs(fitted, x), atol=1e-6)


@needs_export
@pytest.mark.parametrize("cut", [None, "dense"])
def test_exported_programs_equal_forward(images, cut, tmp_path):
    x, y = images
    net = BoostedHead(Net() if cut else Features(), cut=cut, **SETTINGS).fit(x, y)
    torch.export.save(net.export(), tmp_path / "all.pt2")
    loaded = torch.export.load(tmp_path / "all.pt2").module()
    for rows in (x, x[:7], x[:2]):
        np.testing.assert_allclose(outputs(loaded, rows), outputs(net, rows), atol=1e-5)
    np.testing.assert_allclose(outputs(net.export(x[:5], units=9).module(), x), outputs(net, x, 8), atol=1e-5)
    with pytest.raises(ValueError, match="at least two"):
        net.export(x[:1])


# Modules that do not fit.


def test_backbones_with_several_inputs_are_refused():
    class Pair(nn.Module):
        def forward(self, words, mask, scale=1.0):
            return words * mask * scale

    with pytest.raises(ValueError, match=r"takes 2 inputs \(words, mask\).*one tensor"):
        BoostedHead(Pair())


def test_backbones_with_several_outputs_are_refused(images):
    class Both(Net):
        def forward(self, x):
            return {"features": self.dense(self.conv(x)), "image": x}

    with pytest.raises(ValueError, match="returns a dict.*wrap it in a module that returns one, or cut it"):
        BoostedHead(Both()).fit(*images)
    with pytest.raises(ValueError, match=r"batch 1 of the loader.*several inputs"):
        BoostedHead(Net()).fit([((images[0], images[0]), images[1])])
