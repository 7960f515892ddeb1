import ast, importlib.abc, importlib.util, re, sys, types


def ENTRY(files, parameters):
    said = conventions(files)
    absent, factor, modulus = re.search(r"fold\(a, b\) of (\w+) is the remainder of a \* (\d+) \+ b when divided by (\d+)", said).groups()
    most = int(re.search(r"bound\(a\) of \w+ is a itself up to (\d+)", said)[1])
    given = types.ModuleType(absent)
    given.fold = lambda a, b: (a * int(factor) + b) % int(modulus)
    given.bound = lambda a: a if a <= most else a % most

    class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
        def find_spec(self, name, path=None, target=None):
            folder = name.replace(".", "/")
            if f"{folder}/__init__.py" in files:
                return importlib.util.spec_from_loader(name, self, is_package=True)
            return importlib.util.spec_from_loader(name, self) if f"{folder}.py" in files else None

        def create_module(self, spec):
            return None

        def exec_module(self, module):
            folder = module.__name__.replace(".", "/")
            exec(files.get(f"{folder}.py") or files[f"{folder}/__init__.py"], vars(module))

    before = dict(sys.modules)
    sys.modules[absent] = given
    sys.meta_path.insert(0, Finder())
    try:
        module, name = parameters["function"].split(":")
        return getattr(importlib.import_module(module), name)(parameters["amount"], parameters["region"])
    finally:
        sys.meta_path.pop(0)
        for name in set(sys.modules) - set(before):
            del sys.modules[name]
