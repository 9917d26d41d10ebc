"""Writes test/server/fastapi-openapi.json: the schemas that FastAPI gives for a route with a required file.

python test/oracle/fastapi_openapi.py   (fastapi 0.165)
"""

import json
import pathlib

from fastapi import FastAPI, File, UploadFile

app = FastAPI(title="Steadyhand Inference Serving API", version="1.0.0", docs_url=None, redoc_url=None)


@app.post("/analyze")
async def analyze(file: UploadFile = File(...)):
    return {}


target = pathlib.Path(__file__).parent.parent / "server" / "fastapi-openapi.json"
target.write_text(json.dumps(app.openapi(), indent=1) + "\n")
