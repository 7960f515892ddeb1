import ast, re


def ENTRY(files, parameters):
    said = conventions(files)
    gone = re.search(r"decorator @(\w+) is as good", said)[1]
    draft = re.search(r'begins with "(\w+:)" no method counts', said)[1]
    nodes, imports = {}, {}
    for path, text in files.items():
        names = {}
        for node in ast.parse(text).body:
            if isinstance(node, ast.ImportFrom):
                names.update({alias.asname or alias.name: alias.name for alias in node.names})
            elif isinstance(node, ast.ClassDef):
                nodes[node.name], imports[node.name] = node, names
    made = {}

    def make(name):
        if name not in made:
            bases = [imports[name].get(base.id, base.id) for base in nodes[name].bases]
            made[name] = type(name, tuple(map(make, bases)), {})
        return made[name]

    def defines(name, method):
        if (ast.get_docstring(nodes[name]) or "").startswith(draft):
            return False
        return any(
            isinstance(one, ast.FunctionDef) and one.name == method and gone not in [mark.id for mark in one.decorator_list]
            for one in nodes[name].body
        )

    order = [one.__name__ for one in make(parameters["class"]).__mro__[:-1]]
    return {method: next((one for one in order if defines(one, method)), None) for method in parameters["methods"]}
