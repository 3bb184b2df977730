// Units as types: a number that is an address is not a number that is a size.

declare const unit: unique symbol;
export type Branded<T, Unit extends string> = T & { readonly [unit]: Unit };

/** Offset in linear memory, 0 to 2^32. */
export type Addr = Branded<number, 'Addr'>;
/** A count of bytes. */
export type Bytes = Branded<number, 'Bytes'>;
/** Sequence number: how many events have been applied. Seq 0 is before the first event. */
export type Seq = Branded<number, 'Seq'>;

export const addr = (value: number): Addr => value as Addr;
export const bytes = (value: number): Bytes => value as Bytes;
export const seq = (value: number): Seq => value as Seq;
