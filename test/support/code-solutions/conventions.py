import ast


def conventions(files):
    """The paragraphs that hold, in one text without breaks."""
    found = []
    for text in files.values():
        for paragraph in (ast.get_docstring(ast.parse(text)) or "").split("\n\n"):
            if paragraph.startswith("Convention of this project:"):
                found.append(" ".join(paragraph.split()))
    return " ".join(found)
