// A bot that plays every game and knows none: it picks one of the options it is offered.
//
//     WELLHEAD_TOKEN=... node bot.ts COMMAND_URL QUERY_URL GAME SEAT

import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { GameCommandService } from "./gen/wellhead/v1/command_service_pb.js";
import type { Decision } from "./gen/wellhead/v1/game_pb.js";
import { GameQueryService, type GameOver } from "./gen/wellhead/v1/query_service_pb.js";

const [commandUrl = "", queryUrl = "", gameId = "", seatNumber] = process.argv.slice(2);
const seat = Number(seatNumber);
const headers = { Authorization: `Bearer ${process.env["WELLHEAD_TOKEN"]}` };
const commands = createClient(GameCommandService, createConnectTransport({ baseUrl: commandUrl, httpVersion: "1.1" }));
const queries = createClient(GameQueryService, createConnectTransport({ baseUrl: queryUrl, httpVersion: "1.1" }));

async function answer(decisions: Decision[]): Promise<void> {
  const owed = decisions.find((decision) => decision.seat === seat && decision.options.length > 0);
  const option = owed?.options[Math.floor(Math.random() * owed.options.length)];
  if (!owed || !option) return;
  const requestId = randomUUID();
  await commands.submitCommand(
    { gameId, requestId, seat, decisionId: owed.decisionId, answer: { case: "optionId", value: option.id } },
    { headers, timeoutMs: 10_000 },
  ).catch((error: unknown) => {
    // The game has gone on since: the watch brings what is owed now.
    if (ConnectError.from(error).code !== Code.FailedPrecondition) throw error;
  });
}

async function watch(): Promise<GameOver | undefined> {
  for await (const { kind } of queries.watchGame({ gameId }, { headers })) {
    if (kind.case === "snapshot" || kind.case === "change") await answer(kind.value.decisions);
    if (kind.case === "gameOver") return kind.value;
    if (kind.case === "streamEnd") return undefined;
  }
  return undefined;
}

// A watch that was cut begins again with the current state, which says what is owed.
const passing = [Code.Unavailable, Code.DeadlineExceeded, Code.Aborted, Code.ResourceExhausted, Code.Unknown];
let over: GameOver | undefined;
while (!over) {
  over = await watch().catch((error: unknown) => {
    if (!passing.includes(ConnectError.from(error).code)) throw error;
    return undefined;
  });
  if (!over) await pause(500);
}
for (const { seat, total } of over.ranking) console.log(`seat ${seat}: ${total}`);
