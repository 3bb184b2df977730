// Words to describe JSON with: one description is the schema that other programs read and, by Described, the type that we write.
//
//   SC1  Every object is closed: a key that the description does not have is a fault.

import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox';

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** What JSON of this description is. */
export type Described<Schema extends TSchema> = Frozen<Static<Schema>>;

const saying = (description: string | undefined) => (description === undefined ? {} : { description });

export const text = (description?: string) => Type.String(saying(description));
export const shortText = (most: number) => Type.String({ maxLength: most });
export const truth = (description?: string) => Type.Boolean(saying(description));
/** A whole number from 0 on; by its key's last word bytes, events, allocations and the like. */
export const count = (description?: string) => Type.Integer({ minimum: 0, ...saying(description) });
export const oneOrMore = () => Type.Integer({ minimum: 1 });
export const difference = (description?: string) => Type.Integer(saying(description));
/** From 0 to 1. */
export const share = (description?: string) => Type.Number({ minimum: 0, maximum: 1, ...saying(description) });
export const amount = (description?: string) => Type.Number({ minimum: 0, ...saying(description) });
export const oneOf = <const Values extends readonly (string | number)[]>(values: Values) =>
  Type.Unsafe<Values[number]>({ enum: values });
export const object = <Properties extends TProperties>(properties: Properties, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...saying(description) });
export const list = <Item extends TSchema>(item: Item, most?: number, description?: string) =>
  Type.Array(item, { ...(most === undefined ? {} : { maxItems: most }), ...saying(description) });
export const orNull = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([Type.Null(), schema], saying(description));
export const counts = <const Keys extends readonly string[]>(...keys: Keys) =>
  object(Object.fromEntries(keys.map((key) => [key, count()])) as Record<Keys[number], ReturnType<typeof count>>);

/** A whole file. */
export const described = <Schema extends TSchema>(title: string, description: string, schema: Schema): Schema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title,
  description,
  ...schema,
});
