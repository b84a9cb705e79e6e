from pydantic import BaseModel, ValidationError, model_validator

failures = []


class Point(BaseModel):
    x: int


class Line(BaseModel):
    start: Point

    @model_validator(mode="wrap")
    @classmethod
    def log(cls, value, handler):
        try:
            return handler(value)
        except ValidationError as error:
            failures.append(error)
            raise


try:
    Line.model_validate({"start": {"x": "left"}})
except ValidationError as error:
    print("invalid:", error.errors()[0]["loc"])
