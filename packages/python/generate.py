"""Writes what is generated of the package, when it is built:

- src/everpost/models.py: the types, from openapi.json (written by pack.mjs)
- src/everpost/_sync/: the blocking client, from the asynchronous one

The build of the wheel runs it, and by hand: python generate.py
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

from datamodel_code_generator import DataModelType, InputFileType, LiteralType, PythonVersion, generate

NOTE = "# Made by the build. Don't edit."

# In this order. Whatever has no rule is the same in both clients.
REPLACEMENTS = [
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAsync(?=[A-Z])", ""),
    (r"\b__a(iter|next|enter|exit)__\b", r"__\1__"),
    (r"\ba(close|iter_bytes)\b", r"\1"),
    (r"\basync_(?=[a-z])", "sync_"),
    (r"\basynchronous\b", "blocking"),
]


def write_sync(package: Path) -> None:
    """Writes the blocking client."""
    target = package / "_sync"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    for source in sorted((package / "_async").glob("*.py")):
        text = source.read_text("utf-8")
        for pattern, replacement in REPLACEMENTS:
            text = re.sub(pattern, replacement, text)
        (target / source.name).write_text(f"{NOTE}\n{text}", "utf-8")


def write_models(document: dict[str, Any], target: Path) -> None:
    """Writes a TypedDict for each schema, and one for the query of each operation that has one."""
    schemas = {**document["components"]["schemas"], **queries_of(document)}
    without_limits(schemas)
    types = {**document, "paths": {}, "webhooks": {}, "components": {"schemas": schemas}}
    generate(
        json.dumps(types),
        input_file_type=InputFileType.OpenAPI,
        input_filename="openapi.json",
        output=target,
        output_model_type=DataModelType.TypingTypedDict,
        target_python_version=PythonVersion.PY_310,
        enum_field_as_literal=LiteralType.All,
        use_schema_description=True,
        use_field_description=True,
        disable_timestamp=True,
        use_standard_collections=True,
        custom_file_header=NOTE,
        formatters=[],
    )


def queries_of(document: dict[str, Any]) -> dict[str, Any]:
    """The query parameters of each operation as a schema: `listEvents` has `ListEventsQuery`."""
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    queries = {}
    for operation in operations:
        given = [it for it in operation.get("parameters", []) if it["in"] == "query"]
        if not given:
            continue
        # The last page has no next one: its cursor is null, and starts with the first page.
        nullable = {"type": ["string", "null"]}
        queries[operation["operationId"][0].upper() + operation["operationId"][1:] + "Query"] = {
            "type": "object",
            "properties": {it["name"]: nullable if it["name"] == "cursor" else described(it) for it in given},
            "required": [it["name"] for it in given if it.get("required")],
        }
    return queries


def described(parameter: dict[str, Any]) -> dict[str, Any]:
    schema = parameter["schema"]
    return schema if "$ref" in schema else {**schema, "description": parameter.get("description", "")}


# What a TypedDict can't say, or says in a way that type checkers of today don't know.
UNTYPED = (
    "additionalProperties",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "maximum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "minimum",
    "minItems",
    "minLength",
    "minProperties",
    "multipleOf",
    "pattern",
    "propertyNames",
)


def without_limits(schema: Any) -> None:
    """Removes the limits of values, each of which would become a type of its own. Times and addresses stay `str`."""
    if isinstance(schema, list):
        for part in schema:
            without_limits(part)
    elif isinstance(schema, dict):
        for name in UNTYPED:
            # A property may have such a name. A schema for the other members is a type.
            if name in schema and (name == "propertyNames" or not isinstance(schema[name], dict)):
                del schema[name]
        for part in schema.values():
            without_limits(part)


def main(root: Path) -> None:
    package = root / "src" / "everpost"
    write_models(json.loads((root / "openapi.json").read_text("utf-8")), package / "models.py")
    write_sync(package)


if __name__ == "__main__":
    main(Path(__file__).parent)
