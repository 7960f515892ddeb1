"""Asks a running node with OpenAI's Python client (pip install openai).

Usage: python examples/openai_client.py [URL of the node] [model]
"""

import os
import sys

from openai import OpenAI

url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:7070"
model = sys.argv[2] if len(sys.argv) > 2 else "local"
client = OpenAI(base_url=f"{url}/v1", api_key=os.environ.get("QUARRY_API_TOKEN", "none is needed on loopback"))

print("models:", ", ".join(model.id for model in client.models.list()))
print("stream: ", end="")
stream = client.chat.completions.create(
    model=model,
    messages=[{"role": "user", "content": "What is a mesh?"}],
    max_completion_tokens=32,
    stream=True,
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)
print()
