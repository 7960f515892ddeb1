import ast


def ENTRY(files, parameters):
    said = conventions(files)
    lazy, typing = "within a function counts" in said, "TYPE_CHECKING:` counts" in said
    modules = {path[:-3].replace("/", ".") for path in files if not path.endswith("__init__.py")}
    needs = {}

    def imported(node, module):
        if isinstance(node, ast.Import):
            return [alias.name for alias in node.names]
        base = node.module or ""
        if node.level:
            base = ".".join(module.split(".")[: -node.level] + ([node.module] if node.module else []))
        return [base] + [f"{base}.{alias.name}" for alias in node.names]

    def visit(node, module):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.Import, ast.ImportFrom)):
                needs[module].update(one for one in imported(child, module) if one in modules)
            elif isinstance(child, ast.FunctionDef):
                if lazy:
                    visit(child, module)
            elif isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
                if typing:
                    visit(child, module)
            else:
                visit(child, module)

    for module in modules:
        needs[module] = set()
        visit(ast.parse(files[module.replace(".", "/") + ".py"]), module)

    def below(module):
        seen, open_ = set(), [module]
        while open_:
            for one in needs[open_.pop()]:
                if one not in seen:
                    seen.add(one)
                    open_.append(one)
        return seen

    wanted = parameters["module"]
    reach = {module: below(module) for module in modules}
    dependents = sorted(module for module in modules if wanted in reach[module])
    return {"dependents": dependents, "circle": [one for one in dependents if one in reach[wanted]]}
