import type { Client } from "pg";

/**
 * Lets time pass for what waits for it, by putting it into the past: leases run out, next steps come due, and what a
 * lookup does not find counts as absent. Only where no gateway has anything under way: a lease that is cut short beside
 * its holder is another fault, which a storm makes in real time.
 */
export async function passTime(database: Client, seconds: number): Promise<void> {
  await database.query(
    `update unfinished_operations set due_at = due_at - $1, lease_expires_at = lease_expires_at - $1`.replaceAll(
      "$1",
      `interval '${seconds} s'`,
    ),
  );
  await database.query(
    `with passed as (select interval '${seconds} s' as time),
       tried as (update attempts set started_at = started_at - time, last_send_before = last_send_before - time
                 from passed where finished_at is null),
       told as (update inbox set due_at = due_at - time from passed where state = 'RECEIVED')
     update effects set due_at = due_at - time from passed where state = 'PENDING'`,
  );
}
