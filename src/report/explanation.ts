import { z } from "zod";
import { ReachSchema } from "./reach.ts";

/** What a context was told of a file by codelia. */
export const ToldStateSchema = z
  .object({
    path: z.string(),
    /** `changed`: another version of it than the present one. */
    state: z.enum(["told", "changed", "pending"]),
    /** Of the version that was told; the ledger counts its records with `n`. */
    mtimeMs: z.number().int().optional(),
    n: z.number().int().nonnegative().optional(),
  })
  .strict();

/** `codelia explain --json`: what becomes of the instruction files for sessions that begin in a directory. */
export const ExplanationSchema = z
  .object({
    path: z.string().describe("what was asked about"),
    directory: z.string().describe("where the sessions begin"),
    clients: z.array(ReachSchema.extend({ title: z.string() }).strict()),
    context: z
      .object({
        session: z.string(),
        context: z.string(),
        epoch: z.number().int().nonnegative(),
        updatedAt: z.number().int().nullable().describe("when the session was last told anything; null: never"),
      })
      .strict()
      .nullable()
      .describe("whose telling this is; null where the ledger was not to be read"),
    told: z.array(ToldStateSchema),
    skills: z.array(
      z
        .object({
          name: z.string(),
          path: z.string(),
          scope: z.enum(["repo", "user"]),
          visibleTo: z.array(z.string()).describe("the clients that list it to their models"),
        })
        .strict(),
    ),
  })
  .strict();

export type ToldState = z.infer<typeof ToldStateSchema>;
export type Explanation = z.infer<typeof ExplanationSchema>;
