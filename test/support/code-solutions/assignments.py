import ast


def ENTRY(files, parameters):
    counted = conventions(files).split("there do not count")[0]
    ways = {
        ast.AugAssign: "augmented" in counted,
        ast.For: "`for`" in counted,
        ast.With: "`with`" in counted,
        ast.NamedExpr: "expressions" in counted,
    }
    name, lines = parameters["name"], set()

    def bound(node):
        if isinstance(node, ast.Assign):
            return node.targets
        if isinstance(node, ast.AnnAssign):
            return [node.target] if node.value else []
        for kind, counts in ways.items():
            if isinstance(node, kind) and counts:
                return [item.optional_vars for item in node.items] if kind is ast.With else [node.target]
        return []

    def visit(node, scope, globals_):
        for child in ast.iter_child_nodes(node):
            for target in bound(child):
                for one in ast.walk(target):
                    if isinstance(one, ast.Name) and one.id == name:
                        if ("" if name in globals_ else scope) == parameters["scope"]:
                            lines.add(one.lineno)
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
                inner = f"{scope}.{child.name}" if scope else child.name
                direct = {n for s in child.body if isinstance(s, ast.Global) for n in s.names}
                visit(child, inner, direct)
            elif not isinstance(child, (ast.Lambda, ast.ListComp)):
                visit(child, scope, globals_)

    visit(ast.parse(files[parameters["path"]]), "", set())
    return sorted(lines)
