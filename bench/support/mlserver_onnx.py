"""A runtime of MLServer that predicts with ONNX Runtime, for bench/serve.py."""
import numpy as np
import onnxruntime
from mlserver import MLModel
from mlserver.codecs import NumpyCodec
from mlserver.types import InferenceResponse


class OnnxModel(MLModel):
    async def load(self):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(self.settings.parameters.uri, options)
        self.names = [one.name for one in self.session.get_inputs()]
        self.output = self.session.get_outputs()[-1].name
        return True

    async def predict(self, payload):
        rows = NumpyCodec.decode_input(payload.inputs[0]).astype(np.float32)
        if len(self.names) == 1:
            feed = {self.names[0]: rows}
        else:
            feed = {name: rows[:, [c]] for c, name in enumerate(self.names)}
        (found,) = self.session.run([self.output], feed)
        return InferenceResponse(
            model_name=self.name, outputs=[NumpyCodec.encode_output("probabilities", np.asarray(found, np.float64))]
        )
