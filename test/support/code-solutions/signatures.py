import ast, inspect, re


def ENTRY(files, parameters):
    said = conventions(files)
    sealed = re.search(r"decorator @(\w+) is never called", said)[1]
    private = "underscore count" in said
    found = []

    def takes(function, in_class):
        marks = [one.id for one in function.decorator_list]
        if sealed in marks or (function.name.startswith("_") and not private):
            return False
        stub = {}
        exec(f"def stub({ast.unparse(function.args)}): pass", stub)
        bound = 1 if in_class and "staticmethod" not in marks else 0
        try:
            keywords = {name: 0 for name in parameters["keywords"]}
            inspect.signature(stub["stub"]).bind(*[0] * (bound + parameters["positional"]), **keywords)
            return True
        except TypeError:
            return False

    for path, text in files.items():
        if path.rsplit("/", 1)[0] != parameters["package"]:
            continue
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef) and takes(node, False):
                found.append(f"{path}:{node.name}")
            if isinstance(node, ast.ClassDef):
                for one in node.body:
                    if isinstance(one, ast.FunctionDef) and takes(one, True):
                        found.append(f"{path}:{node.name}.{one.name}")
    return sorted(found)
