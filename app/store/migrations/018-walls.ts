/** Walls of charts that the user has made, by name; the wall is JSON. */
export const walls = `
create table wall (
  name text primary key,
  revision integer not null,
  wall text not null
) strict;
`
