// Packets on the main thread of a recorded program: put in order, kept within a bound, handed to listeners. No wasm here.
//
//   packet { from, count, lost, snapshot, records }    events [from, from + count); `lost` before them were overwritten unread, and then
//                                                      records begins with events_lost; snapshot: the newest snapshot_begun by then
//
//   base                    snapshots                next
//    | kept ... | kept ...  S ... | kept ... S ...    |     waiting: packets of other threads that came before their turn
//
//  K1  What is kept begins where the state is known: at event 0, or with a snapshot.
//  K2  With a number to keep at least so many events are kept, and what is before them up to a snapshot. As one is taken after
//      each half of the number, at most one and a half of it.
//  K3  A listener that begins late gets nothing before a snapshot: its first packet begins with events_lost and that snapshot.
//  K4  Of a packet with `sites` the texts, strings and sites that are defined in it are kept for good, some 80 bytes a site: whatever
//      begins late gets those from before it, between events_lost and the snapshot (event.P5). A packet to a listener says how many
//      records of it they are, as `repeated`.
mergeInto(LibraryManager.library, {
  $makeHeapglassPackets: function () {
    const kWords = 4; // of a record
    const kEventsLost = 62;
    const kText = 63;
    const kStringDefined = 64;
    const kSiteDefined = 65;
    let keep = 'none';
    let kept = [];
    let base; // number of the first kept event; undefined: that of the next snapshot from `beginsFrom` on, when something is kept
    let beginsFrom = 0;
    let snapshots = []; // behind base, rising
    let next; // what the next packet in order begins with; undefined: whatever comes
    let lost = 0;
    const waiting = [];
    const definitions = []; // { at, record }, K4
    let texts = []; // that nothing has taken yet, of the same form
    const listeners = new Set();

    const lostRecord = (count) => Uint32Array.of(kEventsLost, count, 0, 0);
    const joined = (parts) => {
      const whole = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
      let at = 0;
      for (const part of parts) {
        whole.set(part, at);
        at += part.length;
      }
      return whole;
    };
    const define = (packet) => {
      const words = packet.records;
      const first = packet.lost > 0 ? 1 : 0;
      for (let i = first; i * kWords < words.length; ++i) {
        const kind = words[i * kWords] & 0xff;
        if (kind >= kText && kind <= kSiteDefined) {
          texts.push({ at: packet.from + i - first, record: words.slice(i * kWords, (i + 1) * kWords) });
        }
        if (kind === kText) continue;
        if (kind === kStringDefined || kind === kSiteDefined) definitions.push(...texts);
        texts = []; // or a mark took them
      }
    };
    // No snapshot stands between a text and what takes it.
    const definedBefore = (first) => definitions.filter((one) => one.at < first).map((one) => one.record);
    const endOf = (packet) => packet.from + packet.count;
    // The records of a packet from event `first` on.
    const cut = (packet, first) => {
      if (first <= packet.from) return packet.records;
      return packet.records.subarray((first - packet.from + (packet.lost > 0 ? 1 : 0)) * kWords);
    };

    const deliver = (packet) => {
      next = endOf(packet);
      lost += packet.lost;
      if (packet.sites) define(packet);
      if (keep !== 'none') keepPacket(packet);
      for (const listener of listeners) hand(listener, packet);
    };

    const keepPacket = (packet) => {
      if (base === undefined) {
        if (packet.snapshot < beginsFrom) return;
        base = packet.snapshot;
      }
      if (endOf(packet) <= base) return;
      kept.push(packet);
      const newest = snapshots.length > 0 ? snapshots[snapshots.length - 1] : base;
      if (packet.snapshot > newest) snapshots.push(packet.snapshot);
      if (typeof keep !== 'number') return;
      const before = base;
      while (snapshots.length > 0 && next - snapshots[0] >= keep) base = snapshots.shift();
      if (base !== before) kept = kept.filter((other) => endOf(other) > base);
    };

    // Kept records from event `first` on; when they begin later, behind an events_lost.
    const records = (first) => {
      const begin = Math.max(first, base === undefined ? beginsFrom : base);
      const parts = kept.filter((packet) => endOf(packet) > begin).map((packet) => cut(packet, begin));
      return joined(begin > first ? [lostRecord(begin - first), ...definedBefore(begin), ...parts] : parts);
    };

    const hand = (listener, packet) => {
      if (listener.after === undefined) {
        if (packet.snapshot < listener.beginsFrom) return;
        listener.after = packet.snapshot;
        listener.missing = packet.snapshot;
      }
      if (endOf(packet) <= listener.after) return;
      const rest = cut(packet, listener.after);
      const before = listener.missing > 0 ? definedBefore(listener.after) : [];
      const records = listener.missing > 0 ? joined([lostRecord(listener.missing), ...before, rest]) : rest;
      listener.missing = 0;
      try {
        listener.call({ from: Math.max(packet.from, listener.after), records, repeated: before.length });
      } catch (error) {
        setTimeout(() => {
          throw error; // not into malloc
        }, 0);
      }
    };

    return {
      joined,
      records,
      get lost() {
        return lost;
      },
      get keep() {
        return keep;
      },
      get wanted() {
        return keep !== 'none' || listeners.size > 0;
      },
      get listeners() {
        return listeners.size;
      },
      // Keeps from event `head` on: from the next snapshot, or from the very first event.
      setKeep(value, head) {
        if (keep === 'none' || value === 'none') {
          kept = [];
          snapshots = [];
          beginsFrom = head;
          base = head === 0 && value !== 'none' ? 0 : undefined;
        }
        keep = value;
      },
      // Order begins anew: packets were not sent for a while.
      restart() {
        next = undefined;
        waiting.length = 0;
      },
      accept(packet) {
        if (next === undefined) next = packet.from - packet.lost;
        if (endOf(packet) <= next) return;
        waiting.push(packet);
        waiting.sort((a, b) => a.from - b.from);
        while (waiting.length > 0 && waiting[0].from - waiting[0].lost <= next) deliver(waiting.shift());
      },
      // `past`: what is kept first. Else from the next snapshot on. Returns what ends it.
      listen(call, past, head) {
        const known = past && base !== undefined;
        const after = known ? base : head === 0 ? 0 : undefined;
        const listener = { call, after, missing: after, beginsFrom: head };
        if (known) for (const packet of kept) hand(listener, packet);
        listeners.add(listener);
        return { known: known, end: () => listeners.delete(listener) };
      },
    };
  },
});
