"""The paper's CNN on a GPU whose memory holds all images: several runs side by side, as CUDA graphs. Needs torch."""

import torch
import torch.nn.functional as F
from torch import nn

CUDA = torch.cuda.is_available()
DEV = torch.device("cuda" if CUDA else "cpu")
PAD = 3  # a tenth of 32 pixels, as `accrete deep train --augment`


def shifted(images, rows, generator):
    """The images of these rows, shifted by up to PAD pixels and mirrored; `images` are padded by PAD."""
    u = torch.rand(3, len(rows), device=DEV, generator=generator)
    down, right = ((u[k] * (2 * PAD + 1)).long().clamp_(max=2 * PAD) for k in (0, 1))
    at, channels = torch.arange(32, device=DEV), torch.arange(3, device=DEV)
    lines = down[:, None] + at
    columns = torch.where((u[2] < 0.5)[:, None], 31 - at, at) + right[:, None]
    places = lines[:, None, :, None], columns[:, None, None]
    return images[(rows[:, None, None, None], channels[None, :, None, None], *places)]


def drop(x, p, generator, training):
    if not training:
        return x
    keep = torch.empty_like(x, dtype=torch.float32).uniform_(0, 1, generator=generator) >= p
    return x * keep / (1 - p)


class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        widths = [3, 32, 32, 64, 64, 128, 128]
        self.convs = nn.ModuleList(nn.Conv2d(a, b, 3, padding=1) for a, b in zip(widths, widths[1:]))
        self.dense = nn.Linear(2048, 128)
        self.head, self.output = nn.Linear(128, 128), nn.Linear(128, 10)

    def features(self, x, g=None):
        for block, p in enumerate((0.2, 0.3, 0.4)):
            x = F.relu(self.convs[2 * block](x))
            x = F.max_pool2d(F.relu(self.convs[2 * block + 1](x)), 2)
            x = drop(x, p, g, self.training)
        return F.relu(self.dense(x.contiguous().flatten(1)))

    def forward(self, x, g=None):
        return self.output(F.relu(self.head(self.features(x, g))))


class Run:
    """One training run whose step reads its batch from the resident images by a counter on the device."""

    def __init__(self, name, seed, rows, X, y, augment=False, batch=128):
        self.name, self.seed, self.augment, self.rows = name, seed, augment, rows
        self.X, self.y, self.batch = X, y, batch
        torch.manual_seed(1000 + seed)
        self.net = CNN().to(DEV).to(memory_format=torch.channels_last)
        fast = dict(capturable=True, fused=True) if CUDA else {}
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-3, **fast)
        self.gen = torch.Generator(device=DEV).manual_seed(2000 + seed)
        self.order = torch.Generator(device=DEV).manual_seed(3000 + seed)
        self.perm = rows.clone()
        self.pos = torch.zeros(1, dtype=torch.long, device=DEV)
        self.loss = torch.zeros((), device=DEV)
        self.lane = torch.arange(batch, device=DEV)
        self.steps = len(rows) // batch
        self.stream = torch.cuda.Stream() if CUDA else None
        self.graph, self.curve = None, []

    def shuffle(self):
        self.perm.copy_(self.rows[torch.randperm(len(self.rows), device=DEV, generator=self.order)])
        self.pos.zero_()

    def images(self, idx):
        return (shifted(self.X, idx, self.gen) if self.augment else self.X[idx]).float().div_(255)

    def step(self):
        idx = self.perm[self.pos + self.lane]
        x = self.images(idx).contiguous(memory_format=torch.channels_last)
        self.opt.zero_grad(set_to_none=True)
        with torch.autocast(DEV.type, torch.bfloat16, enabled=CUDA, cache_enabled=False):
            scores = self.net(x, self.gen)
        loss = F.cross_entropy(scores.float(), self.y[idx])
        loss.backward()
        self.opt.step()
        self.loss.copy_(loss.detach())
        self.pos += self.batch

    def capture(self, per_graph):
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            for _ in range(3):
                self.step()
        torch.cuda.current_stream().wait_stream(self.stream)
        torch.cuda.synchronize()
        self.pos.zero_()
        graph = torch.cuda.CUDAGraph()
        graph.register_generator_state(self.gen)
        with torch.cuda.graph(graph, stream=self.stream):
            for _ in range(per_graph):
                self.step()
        self.graph = graph

    def scores(self, X, what):
        self.net.eval()
        out = []
        with torch.no_grad():
            for a in range(0, len(X), 5000):
                x = X[a:a + 5000].float().div_(255).contiguous(memory_format=torch.channels_last)
                out.append(getattr(self.net, what)(x))
        self.net.train()
        return torch.cat(out)

    def accuracy(self, X, y):
        return (self.scores(X, "forward").argmax(1) == y).float().mean().item()
