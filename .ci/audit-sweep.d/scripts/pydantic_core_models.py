# finds: untracked pydantic_core
"""Validates, serializes and keeps what went wrong; what a freelist hands out again isn't tracked."""
import gc

from pydantic_core import ArgsKwargs, SchemaSerializer, SchemaValidator, ValidationError, core_schema

schema = core_schema.typed_dict_schema({"a": core_schema.typed_dict_field(core_schema.int_schema())})
validator, serializer, errors = SchemaValidator(schema), SchemaSerializer(schema), []
for value in ({"a": 1}, {"a": "x"}, {}, None):
    try:
        serializer.to_json(validator.validate_python(value))
    except ValidationError as error:
        errors.append(error)
used = [ArgsKwargs(([],)) for _ in range(50)]
used.clear()
gc.collect()
kept = [ArgsKwargs(([n],)) for n in range(200)]
