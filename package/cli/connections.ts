// Bounds on what visitors may hold of a server who send slowly, or nothing, or read nothing.
//
//   CO1  A connection waits while no request of it is answered: for a first byte, for the rest of a request, for another request.
//        Of those that wait kMostWaiting stay: a new one ends the one that has waited longest, so there is always a place for a visitor.
//   CO2  A request has to be whole after kLongestRequestMs, its body too.
//   CO3  An answer that nobody reads ends after kStalledMs without a byte. Of those under way kMostAnswered stay: a new one ends the
//        oldest. A page has six at a time, so only who holds up answers on purpose comes near.

import type { Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';

export interface Bounds {
  readonly mostWaiting: number;
  readonly mostAnswered: number;
  readonly longestRequestMs: number;
  readonly stalledMs: number;
}

export const kBounds: Bounds = { mostWaiting: 128, mostAnswered: 128, longestRequestMs: 30_000, stalledMs: 120_000 };

/** What createServer needs for CO2. */
export const requestBounds = ({ longestRequestMs }: Bounds): ServerOptions => ({
  requestTimeout: longestRequestMs,
  headersTimeout: longestRequestMs,
  connectionsCheckingInterval: Math.ceil(longestRequestMs / 6),
});

/** CO1, CO3 */
export function boundConnections(server: Server, { mostWaiting, mostAnswered, stalledMs }: Bounds): void {
  server.timeout = stalledMs;
  const waiting = oldestLeaves(mostWaiting);
  const answered = oldestLeaves(mostAnswered);
  server.on('connection', (socket: Socket) => {
    waiting.add(socket);
    socket.once('close', () => {
      waiting.remove(socket);
      answered.remove(socket);
    });
  });
  server.on('request', ({ socket }, response) => {
    waiting.remove(socket);
    answered.add(socket);
    response.once('close', () => {
      answered.remove(socket);
      if (!socket.destroyed) waiting.add(socket);
    });
  });
}

/** In the order in which they came: one too many ends the first. */
function oldestLeaves(most: number) {
  const sockets = new Set<Socket>();
  return {
    add(socket: Socket): void {
      sockets.add(socket);
      const [oldest] = sockets;
      if (sockets.size > most) oldest?.destroy();
    },
    remove: (socket: Socket): boolean => sockets.delete(socket),
  };
}
