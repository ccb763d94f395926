const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  second: 1000,
  seconds: 1000,
  minute: 60_000,
  minutes: 60_000,
  hour: 3_600_000,
  hours: 3_600_000,
};
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/**
 * How long a service's sentence says to wait: "try again in 7s", "try again at 5:12 PM" (of the local time, today or
 * the next time it is that late), "try again at Nov 20th, 2026 5:12 PM". A named minute is waited to its end.
 */
export function statedDelay(sentence: string, nowMs: number): number | undefined {
  const [, amount, unit = ""] = /try again in (\d+(?:\.\d+)?) ?([a-z]+)/i.exec(sentence) ?? [];
  const unitMs = Object.hasOwn(UNIT_MS, unit.toLowerCase()) ? UNIT_MS[unit.toLowerCase()] : undefined;
  if (unitMs !== undefined) return Math.ceil(Number(amount) * unitMs);
  const pattern = /try again at (?:([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}):(\d{2}) ([AP])M/;
  const moment = pattern.exec(sentence);
  if (moment === null) return undefined;
  const [, month, day, year, hour, minute, half] = moment;
  const then = new Date(nowMs);
  if (month !== undefined) then.setFullYear(Number(year), MONTHS.indexOf(month.toLowerCase()), Number(day));
  then.setHours((Number(hour) % 12) + (half === "P" ? 12 : 0), Number(minute) + 1, 0, 0);
  if (month === undefined && then.getTime() < nowMs) then.setDate(then.getDate() + 1);
  return Math.max(0, then.getTime() - nowMs);
}
