"""Writes docs/vendors/: a page for each system and one that compares them (`make pages`); a test keeps them current."""

from __future__ import annotations

from pathlib import Path

from rocecfg.report import vendorpage
from rocecfg.vendor import registry

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "vendors"


def pages() -> dict[str, str]:
    """Return the text of each page by file name."""
    manifests = [registry.get(name).manifest for name in registry.names()]
    found = {f"{manifest.name}.md": vendorpage.page(manifest) for manifest in manifests}
    return {"README.md": vendorpage.index(manifests), **found}


def main() -> None:
    """Write the pages; those of systems that are no more go away."""
    FOLDER.mkdir(exist_ok=True)
    made = pages()
    for old in FOLDER.glob("*.md"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
