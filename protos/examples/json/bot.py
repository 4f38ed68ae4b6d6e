"""A bot that plays every game and knows none: JSON over HTTP, and Python's standard library alone.

WELLHEAD_TOKEN=... python3 bot.py COMMAND_URL QUERY_URL GAME SEAT
"""

import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
import uuid

COMMAND_URL, QUERY_URL, GAME, SEAT = *sys.argv[1:4], int(sys.argv[4])
HEADERS = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["WELLHEAD_TOKEN"]}


def call(url, method, **fields):
    """The answer, or None if there is none yet: the game was refused, or nothing has happened for half a minute."""
    request = urllib.request.Request(f"{url}/wellhead.v1.{method}", json.dumps(fields).encode(), HEADERS)
    while True:
        try:
            with urllib.request.urlopen(request, timeout=40) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            code = json.load(error)["code"]
            if code in ("failed_precondition", "deadline_exceeded"):
                return None
            if code not in ("unavailable", "aborted", "resource_exhausted"):
                raise
        except (OSError, http.client.HTTPException):
            pass
        time.sleep(0.5)  # the identical request once more: its request id makes that safe


revision, status = 0, ""
while status != "GAME_STATUS_ENDED":
    answer = call(QUERY_URL, "GameQueryService/GetGameView", gameId=GAME, minRevision=revision + 1)
    if answer:
        view = answer["view"]
        revision, status = int(view["revision"]), view["summary"]["status"]
        for decision in view.get("decisions", []):
            if decision.get("options"):  # present for our own only
                option = random.choice(decision["options"])["id"]
                answered = {"gameId": GAME, "seat": SEAT, "decisionId": decision["decisionId"], "optionId": option}
                call(COMMAND_URL, "GameCommandService/SubmitCommand", requestId=str(uuid.uuid4()), **answered)
for rank in view["summary"]["ranking"]:
    print(f"seat {rank.get('seat', 0)}: {rank.get('total', 0)}")
