// Bounds on what visitors may hold of a server who send slowly, or nothing, or read nothing.
//
//   CO1  A connection waits while no request of it is answered: for a first byte, for the rest of a request, for another request.
//        Of those that wait kMostWaiting stay: a new one ends the one that has waited longest, so there is always a place for a visitor.
//   CO4  A visitor who has just come needs a moment to ask, on a busy machine more than a crowd needs to come: for kNewMs a connection
//        counts among the new ones, of which kMostNew stay.
//   CO2  A request has to be whole after kLongestRequestMs, its body too.
//   CO3  An answer that nobody reads ends after kStalledMs without a byte. Of those under way kMostAnswered stay: a new one ends the
//        oldest. A page has six at a time, so only who holds up answers on purpose comes near.

import type { Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';

export interface Bounds {
  readonly mostWaiting: number;
  readonly mostNew: number;
  readonly newMs: number;
  readonly mostAnswered: number;
  readonly longestRequestMs: number;
  readonly stalledMs: number;
}

export const kBounds: Bounds = {
  mostWaiting: 128,
  mostNew: 1024,
  newMs: 2000,
  mostAnswered: 128,
  longestRequestMs: 30_000,
  stalledMs: 120_000,
};

/** What createServer needs for CO2. */
export const requestBounds = ({ longestRequestMs }: Bounds): ServerOptions => ({
  requestTimeout: longestRequestMs,
  headersTimeout: longestRequestMs,
  connectionsCheckingInterval: Math.ceil(longestRequestMs / 6),
});

/** CO1, CO3, CO4 */
export function boundConnections(server: Server, bounds: Bounds): void {
  server.timeout = bounds.stalledMs;
  const fresh = oldestLeaves(bounds.mostNew);
  const waiting = oldestLeaves(bounds.mostWaiting);
  const answered = oldestLeaves(bounds.mostAnswered);
  server.on('connection', (socket: Socket) => {
    fresh.add(socket);
    const grown = setTimeout(() => fresh.remove(socket) && waiting.add(socket), bounds.newMs).unref();
    socket.once('close', () => {
      clearTimeout(grown);
      for (const list of [fresh, waiting, answered]) list.remove(socket);
    });
  });
  server.on('request', ({ socket }, response) => {
    fresh.remove(socket);
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
      if (sockets.size <= most || oldest === undefined) return;
      sockets.delete(oldest); // its close comes later, and more may be added before
      oldest.destroy();
    },
    remove: (socket: Socket): boolean => sockets.delete(socket),
  };
}
