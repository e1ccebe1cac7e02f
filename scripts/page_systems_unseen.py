"""Systems that were chosen, and measured once, when the patterns had been changed for others."""
import glob, html, json, os, re

from page_systems import (FULL, LANGUAGES, NAMES, SITE, dialog, error, javascript, login, messages, pairs,
                          path_of, plain, system, text_of)

# ---- later: added when the patterns were complete


def of_places(names):
    """The names of the languages in a package that calls them by languages and countries."""
    return dict(zip(LANGUAGES, names.split()))


@system("npm:@dargmuesli/nuxt-cookie-control", part="later")
def nuxt_cookie_control(root, language):
    t = javascript(root, "dist/runtime/locale/{}.js", language)
    if t:
        yield "consent", SITE, dialog(t["bannerTitle"], t["bannerDescription"],
                                      [t["acceptAll"], t["declineAll"], t["manageCookies"]])


@system("npm:cookie-notice", part="later")
def cookie_notice(root, language):
    text = text_of(os.path.join(root, "dist/cookie.notice.js"))
    found = re.findall(r"^ +(\w\w): '((?:[^'\\]|\\.)*)'", text, re.M)
    t = [v.replace("\\'", "'") for k, v in found if k == language]
    if len(t) > 1:
        yield "consent", SITE, f"<div>{t[0]}<a href=/>{t[1]}</a><a href=#>OK</a></div>"


@system("npm:cookie-consent-js", part="later")
def cookie_consent_js(root, language):
    path = path_of(root, "cookie-consent-content/{}.json", language)
    if path:
        t = json.loads(text_of(path))
        yield "consent", SITE, dialog(
            t["title"], t["body"].replace("--privacy-policy--", t["privacyPolicy"]),
            [t["buttonAcceptTechnical"], t["buttonAcceptAll"]])


@system("npm:@justeattakeaway/pie-cookie-banner", part="later")
def pie_cookie_banner(root, language):
    found = [p for p in glob.glob(f"{root}/dist/{language}-*.js")
             if re.fullmatch(r"\w\w-[\w-]{8}\.js", os.path.basename(p))]
    t = re.findall(r'(\w+): "((?:[^"\\]|\\.)*)"', text_of(found[0])) if found else []
    if t:
        t = dict(reversed(t))  # the first of each name counts
        yield "consent", SITE, dialog(t["title"], plain(t["description"]), [
            t["managePreferences"], t["necessaryOnly"], t["acceptAll"]])


@system("npm:@prosopo/locale", part="later")
def procaptcha(root, language):
    path = path_of(root, "dist/locales/{}/translation.json", language)
    if path:
        t = json.loads(text_of(path))["WIDGET"]
        yield "challenge", SITE, (f"<form><label><input type=checkbox> {t['I_AM_HUMAN']}</label>"
                                  " <a href=/>Prosopo</a></form>")


@system("npm:@trustcomponent/trustcaptcha-frontend", part="later")
def trustcaptcha(root, language):
    text = text_of(root + "/dist/collection/components/trustcaptcha-component/locale.js")
    found = re.search(rf"^    {language}: \[(.*?)^    \]", text, re.M | re.S)
    t = re.findall(r'^ +"(.*?)",?$', found[1], re.M) if found else None
    if t:
        yield "challenge", SITE, (f"<div role=group><button>{t[0]}</button> <a href=/>Trustcaptcha"
                                  f"</a> <a href=/>{t[3]}</a></div>")


@system("npm:@medusajs/dashboard", part="later")
def medusa(root, language):
    path = path_of(root, "src/i18n/translations/{}.json", language) or path_of(
        root, "src/i18n/translations/%s.json" % {"pt": "ptBR", "zh": "zhCN"}.get(language), "en")
    if os.path.isfile(path):
        t = json.loads(text_of(path))
        yield "login", "Medusa", login(
            t["login"]["title"], [t["fields"]["email"], t["fields"]["password"]],
            t["actions"]["continueWithEmail"], [plain(t["login"]["forgotPassword"])],
            [t["login"]["hint"]])
        texts = t["errorBoundary"]
        for name in ("notFound", "internalServerError"):
            yield "error", "Medusa", error(texts[name + "Title"], texts[name + "Message"],
                                           texts["backToDashboard"])


@system("npm:@vendure/admin-ui", part="later")
def vendure(root, language):
    path = path_of(root, "static/i18n-messages/{}.json", language)
    if path:
        t = json.loads(text_of(path))["common"]
        yield "login", "Vendure", f"<p>{t['login-image-title']}</p>" + login(
            plain(t["login-title"]), [t["username"], t["password"]], t["login"],
            [t["remember-me"]])


@system("cacti", part="later")
def cacti(root, language):
    name = of_places("en de-DE fr-FR es-ES it-IT pt-BR nl-NL pl-PL ru-RU ja-JP zh-CN sv-SE - tr-TR")
    at = f"usr/share/cacti/site/locales/LC_MESSAGES/{name[language]}.mo"
    if language == "en" or os.path.isfile(os.path.join(root, at)):
        t = messages(root, at, language, source=True)
        say = lambda text: t(text) or text
        yield "login", say("Login to Cacti"), login(
            say("User Login"), [say("Username"), say("Password")], say("Login"),
            [say("Keep me signed in"), "Version 1.2.24 | (c) 2004-2023 - The Cacti Group"],
            [say("Enter your Username and Password below")], by_value=True)


@system("ldap-account-manager", part="later")
def lam(root, language):
    name = of_places("en de_DE fr_FR es_ES it_IT pt_BR nl_NL pl_PL ru_RU ja_JP zh_CN - cs_CZ tr_TR")
    at = f"usr/share/ldap-account-manager/locale/{name[language]}/LC_MESSAGES/messages.mo"
    if language == "en" or os.path.isfile(os.path.join(root, at)):
        t = messages(root, at, language, source=True)
        say = lambda text: t(text) or text
        yield "login", "LDAP Account Manager", (
            f"<a href=/>{say('LAM configuration')}</a> " + login(
                "", [say("User name"), say("Password")], say("Login"),
                [say("LDAP server") + " ldap://localhost:389",
                 say("Server profile") + " lam"]))


@system("zoneminder", part="later")
def zoneminder(root, language):
    name = of_places("en_gb de_de fr_fr es_es it_it pt_br nl_nl pl_pl ru_ru ja_jp zh_cn se_se cs_cz -")
    t = pairs(root, f"usr/share/zoneminder/www/lang/{name[language]}.php", language,
              r"^ *'(\w+)' *=> *'((?:[^'\\]|\\.)*)'") if name[language] != "-" else None
    if t:
        yield "login", "ZM - " + t["Login"], login(
            "ZoneMinder " + t["Login"], [t["Username"], t["Password"]], t["Login"])


@system("python3-django-horizon", part="later")
def horizon(root, language):
    name = of_places("en de fr es it pt_BR nl pl_PL ru ja zh_Hans sv cs tr_TR")
    at = (f"usr/lib/python3/dist-packages/openstack_dashboard/locale/{name[language]}"
          "/LC_MESSAGES/django.mo")
    if language != "en" and not os.path.isfile(os.path.join(root, at)):
        return
    t = messages(root, at, language, source=True)
    heading = "Sorry, the page you were looking for does not exist"
    if t(heading):
        yield "error", t("Page Not Found"), error(
            t(heading), t("You may have mistyped the address or the page may have moved."))
    if t("User Name") and t("Password"):
        say = lambda text: t(text) or text
        yield "login", say("Login") + " - OpenStack Dashboard", login(
            say("Log in"), [t("User Name"), t("Password")], say("Sign In"))


@system("cockpit-ws", part="later")
def cockpit(root, language):
    path = path_of(root, "usr/share/cockpit/static/po.{}.js", language)
    if not path and language != "en":
        return
    t = dict(re.findall(r'"([^"]+)":\[null,"([^"]*)"', text_of(path))) if path else {}
    say = lambda text: t.get(text) or text
    yield "login", "debian", login(
        "Debian GNU/Linux", [say("User name"), say("Password")], say("Log in"),
        [say("Other options"), say("Server") + ": debian",
         say("Log in with your server user account.")])


# ---- fourth: added when the patterns had been completed with those before


@system("adminer", part="fourth")
def adminer(root, language):
    t = pairs(root, "usr/share/adminer/adminer/lang/{}.inc.php", language,
              r"^\t'((?:[^'\\]|\\.)*)' => '((?:[^'\\]|\\.)*)'")
    if language == "en" or t:
        say = lambda text: (t or {}).get(text) or text
        labels = ["System", "Server", "Username", "Password", "Database"]
        rows = "".join(f"<tr><th>{say(x)}<td><input>" for x in labels)
        yield "login", say("Login") + " - Adminer", (
            f"<h1>Adminer 4.8.1</h1><h2>{say('Login')}</h2><form><table>{rows}</table>"
            f"<input type=submit value={html.escape(say('Login'))}><label><input type=checkbox>"
            f"{say('Permanent login')}</label></form><p>{say('Language')}: <select></select></p>")


@system("freedombox", part="fourth")
def freedombox(root, language):
    t = messages(root, "usr/lib/python3/dist-packages/plinth/locale/{}/LC_MESSAGES/django.mo",
                 language if language != "zh" else "zh", source=True)
    if not t:
        return
    place = lambda text: plain((t(text) or "").replace("%(request_path)s", "/lamp"))
    missing = ('If you believe this missing page should exist, please file a bug at the FreedomBox '
               'Service (Plinth) project <a href="https://salsa.debian.org/freedombox-team/freedombox'
               '/issues">issue tracker</a>.')
    if t("Page not found - %(box_name)s"):
        yield "error", place("Page not found - %(box_name)s"), error(
            "404", place("Requested page %(request_path)s was not found."), place(missing))
    denied = "You don't have permission to access %(request_path)s on this server."
    if t("403 Forbidden") and t(denied):
        yield "error", SITE, error(t("403 Forbidden"), place(denied))
    if t("Username") and t("Password") and t("Login"):
        yield "login", SITE, login("", [t("Username"), t("Password")], t("Login"), by_value=True)


@system("python3-django-cas-server", part="fourth")
def cas_server(root, language):
    at = "usr/lib/python3/dist-packages/cas_server/locale/{}/LC_MESSAGES/django.mo"
    t = messages(root, at.replace("{}", "zh_Hans") if language == "zh" else at, language,
                 source=True)
    if t and t("Please log in") and t("username"):
        yield "login", t("Central Authentication Service") or SITE, login(
            t("Please log in"), [t("username"), t("password")], t("Login"),
            [t("Warn me before logging me into other sites.")])


@system("python3-flask-security", part="fourth")
def flask_security(root, language):
    name = of_places("en de_DE fr_FR es_ES it_IT pt_BR nl_NL pl_PL ru_RU ja_JP zh_Hans_CN sv cs "
                     "tr_TR")[language]
    at = f"usr/lib/python3/dist-packages/flask_security/translations/{name}/LC_MESSAGES"
    if language == "en" or os.path.isfile(f"{root}/{at}/flask_security.po"):
        t = messages(root, at + "/flask_security.po", language, source=True)
        if t("Login") and t("Password"):
            say = lambda text: t(text) or text
            yield "login", SITE, login(
                t("Login"), [say("Email Address"), t("Password"), ], t("Login"),
                [say("Remember Me"), say("Forgot password"), "Menu"], by_value=True)


@system("gosa", part="fourth")
def gosa(root, language):
    t = messages(root, "usr/share/gosa/locale/core/{}/LC_MESSAGES/messages.po", language,
                 source=True)
    if t and t("User name") and t("Password"):
        say = lambda text: t(text) or text
        yield "login", "GOsa²", "<p>GOsa² 2.8</p>" + login(
            say("Login to GOsa"), [t("User name"), t("Password")], say("Login"),
            ["example.com"])


@system("icingaweb2", part="fourth")
def icingaweb2(root, language):
    if language == "en":
        text = text_of(root + "/usr/share/icingaweb2/application/forms/Authentication/LoginForm.php")
        label, *fields = re.findall(r"(?:setSubmitLabel\(|'placeholder' +=> )\$this->translate\("
                                    r"'(\w+)'\)", text)
        stay = re.search(r"'(Stay logged in)'", text)[1]
        yield "login", "Icinga Web 2 Login", login(
            "", fields, label, [stay, "Icinga Web 2 © 2013-2023", "icinga.com"], by_value=True,
            inside=True)
        for name, text in (("404", "Page not found."), ("403", "No permission for lamps")):
            yield "error", SITE + " :: Icinga Web", f"<div><p>{text}</p><hr></div>"


@system("phpldapadmin", part="fourth")
def phpldapadmin(root, language):
    name = of_places("en de_DE fr_FR es_ES it_IT pt_BR nl_BE pl_PL ru_RU ja_JP zh_CN sv_FI cs_CZ tr_TR")
    at = f"usr/share/phpldapadmin/locale/{name[language]}/LC_MESSAGES/messages.mo"
    t = messages(root, at, language, source=True)
    if t("Login DN") and t("Password"):
        say = lambda text: t(text) or text
        links = " ".join(f"<a href=/>{say(x)}</a>" for x in ("Home", "Purge caches", "Help"))
        yield "login", "phpLDAPadmin (1.2.6.3) - ", links + "<p>My LDAP Server</p>" + login(
            say("Authenticate to server") + " My LDAP Server",
            [t("Login DN") + ":", t("Password") + ":"], say("Authenticate"),
            [say("Anonymous"), "1.2.6.3"], by_value=True,
            before=[say("Warning") + ": " + say("This web connection is unencrypted") + "."])


@system("liblemonldap-ng-portal-perl", part="fourth")
def lemonldap(root, language):
    path = path_of(root, "usr/share/lemonldap-ng/portal/htdocs/static/languages/{}.json", language)
    if path:
        t = json.loads(text_of(path))
        yield "login", t["authPortal"], error("", t["PE9"]) + login(
            "", [t["login"], t["password"]], t["connect"], [t["resetPwd"], t["createAccount"]],
            inside=True)
        for key in ("accessDenied", "notFound", "serverError", "maintenanceMode"):
            yield "error", t["authPortal"], error("", t[key], t["goToPortal"])


@system("npm:@node-red/editor-client", part="fourth")
def node_red(root, language):
    path = path_of(root, "locales/{}/editor.json", language)
    if path:
        t = json.loads(text_of(path))["user"]
        yield "login", "Node-RED", login("", [t["username"] + ":", t["password"] + ":"], t["login"])


@system("npm:ra-language-english npm:ra-language-german npm:ra-language-french "
        "npm:ra-language-spanish npm:ra-language-italian npm:ra-language-pt-br "
        "npm:ra-language-dutch npm:ra-language-polish npm:ra-language-russian "
        "npm:@bicstone/ra-language-japanese npm:@haxqer/ra-language-chinese npm:ra-language-czech",
        part="fourth")
def react_admin(root, language):
    name = of_places("english german french spanish italian pt-br dutch polish russian "
                     "bicstone-ra-language-japanese haxqer-ra-language-chinese - czech -")[language]
    full = name if "-ra-" in name else "ra-language-" + name
    found = [p for at in ("dist/index.js", "lib/index.js", "index.js", "dist/index.cjs")
             for p in glob.glob(f"{root}/../npm-{full}/{at}")]
    t = javascript(root, os.path.relpath(found[0], root), language,
                   "(x => x.ra ?? Object.values(x)[0].ra)(m.default?.default ?? m.default ?? m)"
                   ) if found else None
    if t:
        yield "login", SITE, login("", [t["auth"]["username"], t["auth"]["password"]],
                                   t["auth"]["sign_in"])
        yield "error", SITE, error(t["page"]["not_found"], t["message"]["not_found"],
                                   t["action"]["back"])
        yield "error", SITE, error(t["page"]["error"], t["message"]["error"], t["action"]["back"])


@system("npm:@ory/elements", part="fourth")
def ory(root, language):
    name = {"sv": "se"}.get(language, language)
    text = text_of(root + "/dist/index.mjs")
    blocks = [b for b in re.findall(r"= \{\n((?:  \"[\w.-]+\": .*\n)+)", text) if "login.title" in b]
    code = r'"login.title": "%s"' % {
        "en": "Sign in", "de": "Anmelden", "fr": "Se connecter", "es": "Iniciar sesión",
        "pt": "Entrar", "nl": "Inloggen", "sv": "Logga in", "pl": "Zaloguj się"}.get(name, "-")
    block = [b for b in blocks if code in b]
    if block:
        t = dict(re.findall(r'^  "([\w.-]+)": "(.*)",?$', block[0], re.M))
        yield "login", SITE, login(
            t["login.title"], [t["identities.messages.1070007"], t["identities.messages.1070001"]],
            t["identities.messages.1010001"],
            [t["login.forgot-password"], f"{t['login.registration-label']} "
             f"<a>{t['login.registration-button']}</a>"])
        yield "error", SITE, error(t["error.title-not-found"], t["error.description"],
                                   "404 Not Found", plain(t["error.support-email-link"]),
                                   t["error.back-button"])


@system("npm:vuepress-theme-hope", part="fourth")
def vuepress_hope(root, language):
    t = javascript(root, "node/locales.js", language, "m.themeLocales")
    name = {"pt": "br"}.get(language, language)
    if t and f"/{name}/" in t:
        for hint in t[f"/{name}/"]["error404"]["hint"]:
            yield "error", SITE, error("404", hint, t[f"/{name}/"]["error404"]["back"],
                                       t[f"/{name}/"]["error404"]["home"])


@system("npm:@68publishers/cookie-consent", part="fourth")
def publishers68(root, language):
    path = path_of(root, "src/resources/translations/{}.json", language)
    if path:
        t = json.loads(text_of(path))
        yield "consent", SITE, dialog(
            t["consent_modal_title"], t["consent_modal_description"],
            [t["consent_modal_primary_btn"], t["consent_modal_secondary_btn_settings"]])


@system("npm:ba-js-cookie-banner", part="fourth")
def ba_cookie_banner(root, language):
    if language == "en":
        t = json.loads(text_of(root + "/dist/i18n.json"))["messages"]
        yield "consent", SITE, dialog("", plain(t["ckbn.Policy"][0].replace("%1$s", "/")), [
            t["ckbn.PREFERENCES"][0], t["ckbn.ACCEPT_ALL"][0]])


@system("npm:@cap.js/widget", part="fourth")
def cap(root, language):
    text = text_of(root + "/cap.min.js")
    t = dict(re.findall(r'[{,]"?([\w-]{2,5})"?:"((?:[^"/]+/){4,}[^"]*)"', text))
    t = {"en": "Verify you're human", **{k[:2]: v for k, v in t.items()}}
    if language in t:
        yield "challenge", SITE, (f"<div><div role=button>{t[language].split('/')[0]}</div>"
                                  "<a href=/>Cap</a></div>")


@system("squidguard", part="fourth")
def squidguard(root, language):
    if language == "en":
        text = text_of(root + "/usr/share/doc/squidguard/examples/squidGuard-simple.cgi")
        for part in re.findall(r"<H1 ALIGN=CENTER>.*?(?=  *}|$)", text, re.S)[:1] + re.findall(
                r"<H1 ALIGN=CENTER>(?:(?!<H1).)*?</TABLE>(?:(?!<H1).)*?</P>", text, re.S):
            body = re.sub(r'\\n|"; *$|^ *print "', "", part, flags=re.M).replace('\\"', '"')
            body = re.sub(r"\$\w+", "10.1.1.4", body)
            yield "challenge error", "302 Access denied", body


@system("privoxy", part="fourth")
def privoxy(root, language):
    names = ("blocked", "no-such-domain", "connect-failed", "connection-timeout",
             "forwarding-failed", "no-server-data", "cgi-error-404", "untrusted")
    for name in names if language == "en" else ():
        page = re.sub(r"^#.*\n", "", text_of(f"{root}/etc/privoxy/templates/{name}"), flags=re.M)
        page = re.sub(r"@menu@", "<li>Privoxy main page</li>", page)
        page = re.sub(r"@[a-z-]+@", "shop.example", re.sub(r"<!-- .*? -->", "", page))
        page = re.sub(r"(?is)<(style|script).*?</\1>", "", page)
        yield "challenge error", re.search(r"(?is)<title>(.*?)</title>", page)[1], re.search(
            r"(?is)<body.*</body>", page)[0]


@system("openqa", part="fourth")
def openqa(root, language):
    if language == "en":
        at = root + "/usr/share/openqa/templates/webapi/"
        text = text_of(at + "not_found.html.ep")
        lines = re.findall(r"<(?:h1|p)>.*", text)
        yield "error", "openQA: Page not found", "".join(lines)


# ---- fifth: added when the patterns had been completed with those before


@system("php-horde", part="fifth")
def horde(root, language):
    t = messages(root, "usr/share/horde/locale/{}/LC_MESSAGES/horde.mo", language, source=True)
    if t and t("Username") and t("Password") and t("Log in"):
        say = lambda text: t(text) or text
        yield "login", SITE + " :: " + t("Log in"), login(
            plain(say("Welcome to %s")), [t("Username"), t("Password")], t("Log in"),
            [say("Forgot your password?"), say("Don't have an account? Sign up.")], by_value=True,
            before=[say("Mode"), say("Language")])


@system("ocsinventory-reports", part="fifth")
def ocsinventory(root, language):
    name = of_places("en_GB de_DE fr_FR es_ES it_IT pt_PT nl_NL pl_PL ru_RU ja_JP zh_CN - cs_CZ tr_TR")
    found = glob.glob(f"{root}/usr/share/ocsinventory-reports/plugins/language/{name[language]}/*.txt")
    t = dict(re.findall(r"^(\d+) (.*?)\s*$", text_of(found[0]), re.M)) if found else {}
    if all(k in t for k in ("243", "217", "13")):
        yield "login", "OCS Inventory", login("", [t["243"], t["217"]], t["13"], by_value=True,
                                              inside=True)


@system("tryton-sao", part="fifth")
def tryton(root, language):
    name = {"zh": "zh_CN"}.get(language, language)
    at = f"usr/share/tryton-sao/www/locale/{name}.po"
    if language == "en" or os.path.isfile(os.path.join(root, at)):
        t = pairs(root, at, language, r'^msgid "(.+)"\nmsgstr "(.+)"') if language != "en" else {}
        say = lambda text: t.get(text) or text
        yield "login", "Tryton", login(
            say("Login"), [say("Database"), say("User name"), say("Password")], say("Login"),
            [say("Cancel")])


@system("prewikka", part="fifth")
def prewikka(root, language):
    t = messages(root, "usr/lib/python3/dist-packages/prewikka/locale/{}/LC_MESSAGES/prewikka.mo",
                 language, source=True)
    if t and t("User authentication"):
        say = lambda text: t(text) or text
        yield "login", "Prewikka", login(
            say("User authentication"), [say("Login"), say("Password")], say("Log in"), inside=True)


@system("shaarli", part="fifth")
def shaarli(root, language):
    name = {"ja": "jp"}.get(language, language)
    at = f"usr/share/shaarli/inc/languages/{name}/LC_MESSAGES/shaarli"
    found = [at + end for end in (".po", ".mo") if os.path.isfile(os.path.join(root, at + end))]
    if language == "en" or found:
        t = messages(root, found[0] if found else at, language, source=True)
        say = lambda text: t(text) or text
        links = " ".join(say(x) for x in ("Tag cloud", "Picture wall", "Daily", "RSS Feed", "Login"))
        yield "login", say("Login") + " - " + SITE, links + login(
            say("Login"), [say("Username"), say("Password")], say("Login"), [say("Remember me")],
            by_value=True, inside=True)
        yield "error", SITE, links + error(say("Sorry, nothing to see here."))


@system("nagvis", part="fifth")
def nagvis(root, language):
    name = FULL.get(language, f"{language}_{language.upper()}")
    at = f"usr/share/nagvis/share/frontend/nagvis-js/locale/{name}/LC_MESSAGES/nagvis.mo"
    if language == "en" or os.path.isfile(os.path.join(root, at)):
        t = messages(root, at, language, source=True)
        if t("Name") and t("Password") and t("Login"):
            yield "login", "NagVis 1.9.34", login("", [t("Name"), t("Password")], t("Login"),
                                                  by_value=True)


@system("davical", part="fifth")
def davical(root, language):
    at = "usr/share/davical/locale/{}/LC_MESSAGES/davical.mo"
    t = messages(root, at, language, source=True)
    if t and t("Log On Please") and t("Password"):
        say = lambda text: t(text) or text
        issued = "you should log on with the username and password that have been issued to you."
        yield "login", "DAViCal CalDAV Server", login(
            say("Log On Please"), [say("User Name"), say("Password")], say("GO!"),
            [say("If you have forgotten your password then")], by_value=True, before=[
                f"{say('For access to the')} DAViCal CalDAV Server {say(issued)}",
                say("If you would like to request access, please e-mail") + " root@shop.example."])


@system("npm:@gouvfr/dsfr", part="fifth")
def dsfr(root, language):
    import yaml

    if language == "fr":
        for name in ("not-found", "unavailable", "unexpected"):
            at = f"{root}/src/dsfr/layout/page/response/{name}/i18n/fr.yml"
            t = yaml.safe_load(text_of(at))
            texts = []

            def gather(value):
                for v in value.values() if isinstance(value, dict) else value if isinstance(
                        value, list) else ():
                    gather(v)
                if isinstance(value, str):
                    texts.append(plain(value))

            gather(t)
            yield "error", f"{texts[0]} - {SITE}", error(*texts)
        page = text_of(root + "/example/layout/page/login/1-default/index.html")
        main = re.search(r"(?is)<main.*?</main>", page)
        yield "login", "Connexion - " + SITE, main[0]


@system("npm:hexo-theme-butterfly", part="fifth")
def butterfly(root, language):
    import yaml

    path = path_of(root, "languages/{}.yml", language)
    if path:
        t = yaml.safe_load(text_of(path))
        menu = " ".join(f"<a href=/>{t['page'][k]}</a>" for k in ("tag", "category", "archives")
                        if isinstance(t["page"].get(k), str))
        yield "error", f"{t['error404']} | {SITE}", f"{menu}<h1>404</h1><div>{t['error404']}</div>"


# ---- sixth: added when the patterns had been completed with those before


@system("phpliteadmin", part="sixth")
def phpliteadmin(root, language):
    name = {"cs": "cz", "zh": "cn", "sv": "se"}.get(language, language)
    at = f"usr/share/phpliteadmin/languages/lang_{name}.php"
    if os.path.isfile(os.path.join(root, at)):
        t = pairs(root, at, language, r'^\s*"(\w+)" => "((?:[^"\\]|\\.)*)"')
        yield "login", "phpLiteAdmin", (
            f"<h1>phpLiteAdmin v1.9.8.2</h1><form>{t['passwd']}: <input type=password><br>"
            f"<label><input type=checkbox> {t['remember']}</label>"
            f"<input type=submit value='{html.escape(t['login'])}'></form>")


@system("npm:hexo-theme-fluid", part="sixth")
def fluid(root, language):
    import yaml

    path = path_of(root, "languages/{}.yml", language)
    if path:
        t = yaml.safe_load(text_of(path))
        menu = " ".join(t[k]["menu"] for k in ("home", "archive", "category", "tag", "about"))
        yield "error", f"{t['page404']['title']} - {SITE}", f"{SITE} {menu}" + error(
            t["page404"]["subtitle"])


@system("vdradmin-am", part="sixth")
def vdradmin(root, language):
    t = messages(root, "usr/share/locale/{}/LC_MESSAGES/vdradmin.mo", language, source=True)
    page = text_of(root + "/usr/share/vdradmin-am/template/default/noauth.html")
    texts = [t(x) for x in re.findall(r"gettext\('((?:[^'\\]|\\.)*)'\)", page)] if t else [None]
    if all(texts):
        yield "error", texts[0], error(texts[0], *texts[2:])


@system("npm:@vaadin/login", part="sixth")
def vaadin(root, language):
    if language == "en":
        text = "".join(text_of(p) for p in glob.glob(root + "/src/*i18n*.js") + glob.glob(
            root + "/src/*mixin*.js"))
        t = dict(reversed(re.findall(r"(\w+): '(.*?)'", text)))  # the first of each counts
        yield "login", SITE, f"<h1>{t.get('title', 'App name')}</h1>" + login(
            t.get("title", ""), [t["username"], t["password"]], t["submit"], [t["forgotPassword"]])
