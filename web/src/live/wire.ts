// A wire between two places that share nothing: messages either way. A MessagePort where one can be handed over, else a
// BroadcastChannel, which reaches every window and worker of the same origin.
//
//   wire.1  Whoever closes a wire frees it; the other end learns it by a message (protocol.ts), not by the wire.

export interface Wire {
  post(message: unknown, transfer?: Transferable[]): void;
  listen(listener: (message: unknown) => void): void;
  close(): void;
}

export function portWire(port: MessagePort): Wire {
  return {
    post: (message, transfer = []) => port.postMessage(message, transfer),
    listen(listener) {
      port.onmessage = ({ data }) => listener(data);
    },
    close() {
      port.onmessage = null;
      port.close();
    },
  };
}

/** A channel of two. pre: the name is used by one pair only */
export function channelWire(name: string): Wire {
  const channel = new BroadcastChannel(name);
  return {
    post: (message) => channel.postMessage(message), // a channel hands nothing over: buffers are copied
    listen(listener) {
      channel.onmessage = ({ data }) => listener(data);
    },
    close() {
      channel.onmessage = null;
      channel.close();
    },
  };
}
