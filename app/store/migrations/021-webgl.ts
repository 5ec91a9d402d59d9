const byWebGl = `select id from run where ', ' || backend || ',' like '%, webgl,%'`

/**
 * Until here products over axes of odd length could be wrong on the backend `webgl`, and so could all runs that it trained. They
 * are marked and put away: studies train them again, and a user may bring them back.
 */
export const webgl = `
insert or ignore into tag (run, name) select id, 'doubtful' from run where id in (${byWebGl});
update run_entry set archived = 1 where run in (${byWebGl});
`
