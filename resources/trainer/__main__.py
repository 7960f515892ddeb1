"""
The second implementation of Quarry's trainer, in PyTorch: a process that is told what to do in lines of JSON on its standard input, and answers in
lines on its standard output. src-main/learning/training/torch/ is the other side, and says what the lines hold.
"""
import os
import platform
import queue
import sys
import threading

import torch
from session import Session
from wire import Failure, answer, failure, read_lines

PROTOCOL = 2


def device_facts():
    if not torch.cuda.is_available():
        return {"device": "cpu"}
    free, whole = torch.cuda.mem_get_info()
    return {"device": "cuda", "deviceName": torch.cuda.get_device_name()[:200], "freeBytes": free, "wholeBytes": whole}


def listen(requests):
    """Ends the process with its parent, however busy it is: the end of the input is the end of it."""
    for request in read_lines(sys.stdin.buffer):
        requests.put(request)
    os._exit(0)


def main():
    answer({"say": "hello", "protocol": PROTOCOL, "torch": torch.__version__, "python": platform.python_version(), **device_facts()})
    requests = queue.Queue()
    threading.Thread(target=listen, args=(requests,), daemon=True).start()
    session = Session()
    while True:
        request = requests.get()
        try:
            answer({"say": "done", "id": request["id"], **session.do(request)})
        except Exception as error:  # told to the other side, which decides
            code, detail = failure(error)
            answer({"say": "failed", "id": request["id"], "code": code, "detail": detail})


if __name__ == "__main__":
    main()
