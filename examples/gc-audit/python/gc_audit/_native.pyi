from typing import Optional

__all__ = ["allow_list", "audit", "kinds"]

def audit(
    suspects: list[str],
    allow: list[tuple[str, str]],
    limit: Optional[int],
    progress: Optional[float],
) -> tuple[str, str, list[str]]: ...
def allow_list(text: str) -> list[tuple[str, str]]: ...
def kinds() -> list[tuple[str, str, str]]: ...
