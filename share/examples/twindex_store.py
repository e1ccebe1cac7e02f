"""What the examples share: the documents of any store with their flags.

A store that 'twindex init' made, or one with store.joined_view = yes, has them in the view flagged_documents. For the table of another program,
'twindex check --json' says how Twindex reads it, and the same expressions are used here; those that read HTML need the extension.
"""
import json, os, shutil, sqlite3, subprocess, sys
from urllib.parse import quote


def fail(message):
    sys.exit(f"{os.path.basename(sys.argv[0])}: {message}")


def add_options(parser):
    parser.add_argument("store")
    parser.add_argument("--select", help="SQL that selects the documents")
    parser.add_argument("--program", default=os.environ.get("TWINDEX", "twindex"), help="the program twindex")
    parser.add_argument("--config", help="the configuration of the store, if it is not beside it")
    parser.add_argument("--extension", default="twindex", help="the SQLite extension, for stores whose texts are HTML")


def open_store(options):
    try:
        store = sqlite3.connect(f"file:{quote(options.store)}?mode=ro", uri=True)
        store.row_factory = sqlite3.Row
        views = {name for name, in store.execute("SELECT name FROM sqlite_schema WHERE type IN ('view', 'trigger')")}
    except sqlite3.Error as error:
        fail(f"{options.store}: {error}")
    if "document_flags" not in views:
        fail(f"{options.store}: it has no flags yet: 'twindex run' makes them")
    return store, views


def mapping(options):
    program = shutil.which(options.program) or fail(f"'{options.program}' is needed to know how the store is read: name it with --program")
    command = [program, "check", "--json", *(["--config", options.config] if options.config else []), "--", options.store]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    try:
        facts = json.loads(done.stdout)["facts"]
    except (ValueError, KeyError):
        fail(f"{options.store}: twindex cannot read it")
    if not all(name in facts for name in ("from", "id", "url")):
        fail(f"{options.store}: twindex does not know its documents: 'twindex check' says why")
    return facts


def documents(options, columns):
    """A SELECT that has these columns of the documents beside their flags."""
    store, views = open_store(options)
    if options.select:
        return store, options.select
    if "flagged_documents" in views:
        return store, "SELECT * FROM flagged_documents"
    facts = mapping(options)
    wanted = [facts.get(name) or "NULL" for name in columns]
    if any(word in text for text in [*wanted, facts["id"], facts["from"], facts.get("where", "")] for word in ("html_", "inflate(", "url_resolve(")):
        try:
            store.enable_load_extension(True)
            store.load_extension(options.extension)
        except (AttributeError, sqlite3.Error) as error:
            fail(f"the texts of {options.store} are computed from pages, which needs the extension twindex (--extension): {error}")
    expressions = ", ".join(f"({text}) AS {name}" for name, text in zip(columns, wanted))
    where = f" WHERE ({facts['where']})" if "where" in facts else ""
    return store, f"SELECT * FROM (SELECT ({facts['id']}) AS document_id, {expressions} FROM {facts['from']}{where}) AS d JOIN document_flags AS f ON f.id = d.document_id"
