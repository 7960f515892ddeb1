import ast, re


def ENTRY(files, parameters):
    said = conventions(files)
    most = int(re.search(r"more than (\d+) statements", said)[1])
    least = int(re.search(r"fewer than (\d+) statements", said)[1])
    spare = re.search(r"begin with `(\w+_)` may", said)[1]
    long, unused, bodies = [], [], {}
    for path, text in files.items():
        if path.rsplit("/", 1)[0] != parameters["package"]:
            continue
        for node in ast.parse(text).body:
            if not isinstance(node, ast.FunctionDef):
                continue
            where = f"{path}:{node.name}"
            body = node.body[1:] if ast.get_docstring(node) else node.body
            if len(body) > most:
                long.append(where)
            if len(body) >= least:
                bodies.setdefault("\n".join(map(ast.dump, body)), []).append(where)
            used = [one for one in ast.walk(node) if isinstance(one, ast.Name)]
            read = {one.id for one in used if isinstance(one.ctx, ast.Load)}
            for one in ast.walk(node):
                if isinstance(one, ast.Assign) and one.targets[0].id not in read and not one.targets[0].id.startswith(spare):
                    unused.append(f"{where}:{one.targets[0].id}")
    twins = sorted(sorted(one) for one in bodies.values() if len(one) > 1)
    return {"long": sorted(long), "unused": sorted(unused), "twins": twins}
