/**
 * Python that each interpreter has read before it sees a program. It runs a text as a program that was started by itself, several times if need be, and says whether the next run
 * finds everything as this one did: the streams, what is built in. The same program prints the same each time: it is given the same random numbers and the same order of sets.
 *
 * What programs usually import is imported here, so that it is in the snapshot.
 */
export const PRELUDE = `
import bisect, collections, copy, dataclasses, decimal, fractions, functools, heapq, itertools, json, math, operator, random, re, string, typing

def _runner():
    import atexit, builtins, os, sys, traceback, types
    streams = (sys.stdin, sys.stdout, sys.stderr)
    own = dict(vars(builtins))
    recursion = sys.getrecursionlimit()
    atexit._clear()  # what was registered so far is the interpreter's own

    def begin():
        main = types.ModuleType("__main__")
        sys.modules["__main__"] = main
        sys.argv = ["program.py"]
        sys.setrecursionlimit(recursion)
        random.seed(0)
        os.chdir("/home/program")
        return vars(main)

    def end():
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except BaseException:
                pass

    def is_whole():
        try:
            for number in range(3):
                os.fstat(number)
            same = all(a is b and not b.closed for a, b in zip((sys.stdin, sys.stdout, sys.stderr), streams))
            return same and vars(builtins) == own and sys.gettrace() is None and sys.getprofile() is None
        except BaseException:
            return False

    def run(text):
        try:
            exec(compile(text, "program.py", "exec"), begin())
        except SystemExit as end_of_it:
            if end_of_it.code not in (None, 0):
                print(end_of_it.code, file=sys.stderr)
        except BaseException as error:
            traceback.print_exception(error.with_traceback(error.__traceback__.tb_next))
        end()
        return is_whole()

    return run
`;
