# The command line on a recorded session, from a first look to a store of its own.
set -e
cd "$(mktemp -d)"
cp "$ASSETS/trajectory.json" session.json
# #region look
palimpsest demo                                      # a recorded session, shortened: what, why, and what it saves
palimpsest inspect session.json                      # what fills this context, how it grew, what it costs
palimpsest check session.json                        # what a provider would refuse in it
# #endregion
# #region shorten
palimpsest replay session.json --policy balanced     # what a policy would have sent, call by call, and its cost
palimpsest compact session.json --policy '{"preset":"tight","budget":20000}' -o smaller.json
palimpsest compact session.json --collapse-after 20 > collapsed.json
# #endregion
# #region store
palimpsest import session.json --thread first-task   # into palimpsest.db, or --store, or $PALIMPSEST_STORE
palimpsest threads
palimpsest log --limit 10                            # the last commits: messages, and what was shortened
palimpsest find --tool read_file --min-tokens 500    # a tool that `inspect` lists; also --text, --errors, --calls, --turns
palimpsest verify                                    # is everything as it was written?
palimpsest export -o thread.jsonl.gz                 # the thread with its branches and edits
palimpsest retain --older-than 30d                   # lists threads whose newest message is older; asks, then deletes
# #endregion
# #region settings
palimpsest proxy --policy tight --check-config       # prints every setting and where it comes from
# #endregion
