"""The systems whose pages scripts/page-class-oracle makes, and what reads their translations."""
import collections, gettext, glob, hashlib, html, json, os, re, subprocess

LANGUAGES = "en de fr es it pt nl pl ru ja zh sv cs tr".split()
FULL = {"pt": "pt_BR", "zh": "zh_CN", "cs": "cs_CZ", "sv": "sv_SE", "ja": "ja_JP", "en": "en_US"}
SITE = "Northwind"
# a language by the ways in which files are called
NAMES = {
    "en": "en en_US en-US english ukenglish English",
    "de": "de de_DE de-DE german German",
    "fr": "fr fr_FR fr-FR french French",
    "es": "es es_ES es-ES spanish SpanishSpain",
    "it": "it it_IT it-IT italian Italian",
    "pt": "pt_BR pt-BR pt-br pt portuguese BrazilianPortuguese",
    "nl": "nl nl_NL nl-NL dutch Dutch",
    "pl": "pl pl_PL pl-PL pl-pl polish Polish",
    "ru": "ru ru_RU ru-RU Russian",
    "ja": "ja ja_JP ja-JP japanese Japanese",
    "zh": "zh_CN zh-CN zh-Hans zh-cn zh-Hans-CN zh ChineseChina",
    "sv": "sv sv_SE sv-SE swedish Swedish",
    "cs": "cs cs_CZ cs-CZ czech Czech",
    "tr": "tr tr_TR tr-TR tr-tr turkish TurkishTurkey",
}
SYSTEMS = {}  # by name: packages, function, part


def system(packages, part=None):
    """Registers a function that yields (class, title, body) for a language in a package.

    The function gets the folder of the first package; the others are beside it. A system of no
    other part is open or held out by the hash of its name."""

    def register(function):
        name = function.__name__.replace("_", "-")
        odd = int(hashlib.sha256(name.encode()).hexdigest(), 16) & 1 == 1
        SYSTEMS[name] = (packages.split(), function, part or ("held-out" if odd else "open"))
        return function

    return register


# ---- packages


def fetch(directory, package):
    """The folder of an unpacked package: of npm if the name begins with 'npm:'."""
    to = os.path.join(directory, re.sub(r"\W+", "-", package))
    if os.path.isdir(to):
        return to
    part = to + ".part"
    subprocess.run(["rm", "-rf", part], check=True)
    os.makedirs(part)
    if package.startswith("npm:"):
        pack = ["npm", "pack", "--silent", package[4:]]
        subprocess.run(pack, cwd=part, check=True, stdout=subprocess.DEVNULL)
        archive = glob.glob(part + "/*.tgz")[0]
        subprocess.run(["tar", "xzf", archive, "--strip-components=1", "-C", part], check=True)
    else:
        download = ["apt-get", "-qq", "download", package]
        subprocess.run(download, cwd=part, check=True, stderr=subprocess.DEVNULL)
        archive = glob.glob(part + "/*.deb")[0]
        subprocess.run(["dpkg", "-x", archive, part], check=True)
    os.remove(archive)
    os.rename(part, to)
    return to


def path_of(root, pattern, language):
    """The file of a language, by the pattern of its path, in which {} stands for the name."""
    if "{}" not in pattern:
        return os.path.join(root, pattern)
    for name in NAMES[language].split():
        found = sorted(glob.glob(os.path.join(root, pattern.replace("{}", name))))
        if found:
            return found[0]
    return None


def text_of(path):
    with open(path, "rb") as f:
        data = f.read()
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def javascript(root, pattern, language, expression="m.default ?? m"):
    """What a module of JavaScript exports, by keys."""
    path = path_of(root, pattern, language)
    if not path:
        return None
    code = f"""(async () => {{
        globalThis.tarteaucitron = {{}};
        let m; const fs = require('fs'), text = fs.readFileSync({json.dumps(path)}, 'utf8');
        try {{ m = require({json.dumps(path)}); }}
        catch (e) {{ m = await import('data:text/javascript;base64,' +
                     Buffer.from(text.replace(/^import .*$/gm, '')).toString('base64')); }}
        console.log(JSON.stringify(({expression}) ?? null));
    }})()"""
    run = subprocess.run(["node", "-e", code], capture_output=True, text=True)
    return json.loads(run.stdout) if run.returncode == 0 and run.stdout.strip() else None


def pairs(root, pattern, language, regex):
    """Keys and texts of a file, by a regular expression with these two groups."""
    path = path_of(root, pattern, language)
    if not path:
        return None
    return {k: v.replace("\\'", "'").replace('\\"', '"') for k, v in
            re.findall(regex, text_of(path), re.M)}


def messages(root, pattern, language, source=False):
    """The function that translates: with source, English is what the others are keyed by."""
    path = path_of(root, pattern, language)
    if source and language == "en":
        return lambda text: text
    if not path:
        return None
    if path.endswith(".po"):
        subprocess.run(["msgfmt", "-o", path + ".mo", path], check=True, stderr=subprocess.DEVNULL)
        path += ".mo"
    with open(path, "rb") as f:
        catalogue = gettext.GNUTranslations(f)
    return lambda text: catalogue.gettext(text) if catalogue.gettext(text) != text else None


# ---- pages


def login(heading, fields, button, after=(), before=(), by_value=False, inside=False):
    """A form to log in: the last of the fields is the password. inside: the labels are
    placeholders."""
    rows = [f"<h1>{heading}</h1>" if heading else ""] + [f"<p>{p}</p>" for p in before]
    for i, label in enumerate(fields):
        kind = "password" if i == len(fields) - 1 else "text"
        rows.append(f'<p><input type="{kind}" placeholder="{html.escape(label)}"></p>' if inside
                    else f'<p><label for="f{i}">{label}</label> <input id="f{i}" type="{kind}"></p>')
    rows.append(f'<input type="submit" value="{html.escape(button)}">' if by_value
                else f'<button type="submit">{button}</button>')
    rows += [f'<p><a href="/x">{text}</a></p>' for text in after if text]
    return "<form method=post>" + "\n".join(rows) + "</form>"


def dialog(title, text, buttons):
    return (f"<div role=dialog><h2>{title}</h2><p>{text}</p>"
            + "".join(f"<button>{b}</button> " for b in buttons if b) + "</div>")


def error(heading, *paragraphs):
    return f"<main><h1>{heading}</h1>" + "".join(f"<p>{p}</p>" for p in paragraphs if p) + "</main>"


def plain(text):
    """Fills the places of a message, and leaves out its markup."""
    text = re.sub(r"\{\{?[^{}]*\}?\}|%\(\w+\)s|%[sd\d]|\$product|@\w+@", SITE, text)
    return re.sub(r"<[^>]*>", "", text)


@system("roundcube-core")
def roundcube(root, language):
    at = "usr/share/roundcube/program/localization/{}/"
    one = r"^\$(?:labels|messages)\['(\w+)'\]\s*=\s*'((?:[^'\\]|\\.)*)'"
    t = pairs(root, at + "labels.inc", language, one)
    m = pairs(root, at + "messages.inc", language, one)
    if t and "login" in t:
        welcome = plain(t.get("welcome", ""))
        form = login("", [t["username"], t["password"]], t["login"])
        yield "login", "Roundcube Webmail :: " + welcome, form + "<p>Roundcube Webmail</p>"
    if m and "errnotfound" in m:
        yield "error", "404 " + m["errnotfound"], error(m["errnotfound"], m["errnotfoundexplain"])


@system("redmine")
def redmine(root, language):
    t = pairs(root, "usr/share/redmine/config/locales/{}.yml", language,
              r"^  (\w+): \"?(.*?)\"?$")
    if not t:
        return
    menu = " ".join(f"<a href=/>{t[k]}</a>" for k in
                    ("label_home", "label_project_plural", "label_help", "label_login",
                     "label_register"))
    for status, key in (("404", "notice_file_not_found"), ("403", "notice_not_authorized")):
        yield "error", status + " - Redmine", menu + error(
            status, t[key], f'<a href="javascript:history.back()">{t["button_back"]}</a>')
    form = login("", [t["field_login"], t["field_password"]], t["button_login"],
                 [t["label_password_lost"]], by_value=True)
    yield "login", "Redmine", menu + form


@system("e2guardian")
def e2guardian(root, language):
    path = path_of(root, "etc/e2guardian/languages/{}/template.html", language)
    if path:
        page = text_of(path).replace("-URL-", "http://shop.example/").replace(
            "-REASONGIVEN-", "Banned site: shop.example").replace("-IP-", "10.1.1.4")
        title = re.search(r"(?is)<title>(.*?)</title>", page)
        body = re.search(r"(?is)<body.*</body>", page)
        yield "challenge error", title[1].strip() if title else "", body[0] if body else page


@system("zabbix-frontend-php")
def zabbix(root, language):
    t = messages(root, "usr/share/zabbix/locale/{}/LC_MESSAGES/frontend.mo", language, source=True)
    if t and t("Username") and t("Password") and t("Sign in"):
        yield "login", "Zabbix", login(
            "", [t("Username"), t("Password")], t("Sign in"),
            [t("Remember me for 30 days"), t("Help"), t("Support")])


@system("simplesamlphp")
def simplesamlphp(root, language):
    path = path_of(root, "usr/share/simplesamlphp/dictionaries/login.translation.json", "en")
    if not path:
        return
    all_texts = json.loads(text_of(path))
    definitions = json.loads(text_of(path.replace("translation", "definition")))
    code = {"pt": "pt-br"}.get(language, language)

    def text(key):
        return (definitions if language == "en" else all_texts)[key].get(code)

    if all(text(k) for k in ("user_pass_header", "username", "password", "login_button")):
        yield "login", text("user_pass_header"), login(
            text("user_pass_header"), [text("username"), text("password")], text("login_button"),
            [text("help_header"), text("help_text")], [text("user_pass_text") or ""])


@system("sogo-common")
def sogo(root, language):
    t = pairs(root, "usr/*/GNUstep/SOGo/MainUI.SOGo/Resources/{}.lproj/Localizable.strings",
              language, r'^"(.*?)" = "(.*?)";')
    if t and "Password" in t:
        yield "login", "SOGo", login("", [t["Username"], t["Password"]], t["Connect"],
                                     [t.get("Remember username"), t.get("Language")])


@system("sympa")
def sympa(root, language):
    t = messages(root, "usr/share/locale/{}/LC_MESSAGES/sympa.mo", language, source=True)
    first = ("In order to perform a privileged operation (one that requires your email address), "
             "you need to login.")
    if t and t("Login") and t("email address:") and t("password:"):
        yield "login", f"{SITE} - " + t("Login"), login(
            t("Login"), [t("email address:"), t("password:")], t("Login"),
            [t("First login?"), t("Lost password?")], [t(first) or ""], by_value=True)


@system("npm:@docusaurus/theme-translations")
def docusaurus(root, language):
    path = path_of(root, "locales/{}/theme-common.json", language) or (
        path_of(root, "locales/base/theme-common.json", "en") if language == "en" else None)
    if path:
        t = json.loads(text_of(path))
        yield "error", t["theme.NotFound.title"] + " | " + SITE, error(
            t["theme.NotFound.title"], t["theme.NotFound.p1"], t["theme.NotFound.p2"])


@system("npm:@astrojs/starlight")
def starlight(root, language):
    t = javascript(root, "dist/translations/{}.js", language)
    if t:
        yield "error", "404 | " + SITE, error("404", t["404.text"])


@system("npm:@aws-amplify/ui")
def amplify(root, language):
    t = javascript(root, "dist/esm/i18n/dictionaries/authenticator/{}.mjs", language,
                   "Object.values(m)[0]")
    if language == "en" and t:
        t = collections.defaultdict(str, t)
        for key in ("Sign In", "Create Account", "Username", "Password", "Sign in",
                    "Forgot your password?", "Enter your Username", "Enter your Password"):
            t[key] = t[key] or key
    if t and "Sign in" in t:
        tabs = f"<button>{t['Sign In']}</button> <button>{t['Create Account']}</button>"
        yield "login", SITE, tabs + login("", [t["Username"], t["Password"]], t["Sign in"],
                                          [t["Forgot your password?"]])


@system("npm:auth0-lock")
def auth0(root, language):
    t = javascript(root, "lib/i18n/{}.js", language, "m.default?.default ?? m.default ?? m")
    if t:
        tabs = f"<a href=#>{t['loginLabel']}</a> <a href=#>{t['signUpLabel']}</a>"
        google = t["loginWithLabel"].replace("%s", "Google")
        yield "login", SITE, f"<div>{SITE}</div>" + tabs + login(
            "", [t["emailInputPlaceholder"], t["passwordInputPlaceholder"]],
            t["loginSubmitLabel"], [t["forgotPasswordAction"]], [google])


@system("npm:orejime")
def orejime(root, language):
    path = path_of(root, "dist/orejime-standard-{}.js", language)
    if not path:
        return
    banner = re.search(r'banner:\{(?:[^{}]|\{\w+\})*\}', text_of(path))
    t = dict(re.findall(r'(\w+):"((?:[^"\\]|\\.)*)"', banner[0]))
    yield "consent", SITE, dialog(
        t.get("title", ""), plain(json.loads(f'"{t["description"]}"')),
        [t["accept"], t["decline"], t.get("configure") or t.get("learnMore")])


@system("npm:@c15t/translations")
def c15t(root, language):
    t = javascript(root, "dist/all.js", "en", f"m.baseTranslations[{json.dumps(language)}]")
    if t:
        yield "consent", SITE, dialog(
            t["cookieBanner"]["title"], t["cookieBanner"]["description"],
            [t["common"]["rejectAll"], t["common"]["acceptAll"], t["common"]["customize"]])


@system("npm:friendly-challenge")
def friendlycaptcha(root, language):
    text = text_of(os.path.join(root, "widget.module.js"))
    for name, block in re.findall(r"const LANG_(\w+) = \{(.*?)\n\s*\};", text, re.S):
        if name == language.upper():
            t = dict(re.findall(r'(\w+): "((?:[^"\\]|\\.)*)"', block))
            t = {k: json.loads(f'"{v}"') for k, v in t.items()}
            yield "challenge", SITE, (
                f"<div class=frc-captcha><b>{t['text_ready']}</b> <button>{t['button_start']}"
                "</button></div><span>FriendlyCaptcha ⇗</span>")


@system("npm:altcha")
def altcha(root, language):
    path = path_of(root, "dist/i18n/{}.js", language)
    found = re.search(r"const i18n = \{(.*?)\n\};", text_of(path), re.S) if path else None
    if found:
        t = dict(re.findall(r"(\w+): [\"'](.*?)[\"'],?$", found[1], re.M))
        yield "challenge", SITE, (
            f"<form><label><input type=checkbox> {t['label']}</label><footer>{t['footer']}"
            f"</footer><button>{t['verify']}</button></form>")


@system("npm:ep_etherpad-lite")
def etherpad(root, language):
    path = path_of(root, "locales/{}.json", language)
    t = json.loads(text_of(path)) if path else {}
    if "pad.permissionDenied" in t:
        yield "error", SITE + " | Etherpad", error(t["pad.permissionDenied"])


@system("npm:cookieconsent")
def osano(root, language):
    if language == "en":
        text = text_of(os.path.join(root, "build/cookieconsent.min.js"))
        found = dict(re.findall(r'(\w+):"([A-Z].*?)"', text))
        yield "consent", SITE, dialog("", found["message"] + " " + found["link"],
                                      [found["deny"], found["allow"]])


@system("npm:@payloadcms/translations")
def payload(root, language):
    t = javascript(root, "dist/languages/{}.js", language, "Object.values(m)[0].translations")
    if t:
        yield "login", t["authentication"]["login"] + " - Payload", login(
            "", [t["general"]["email"], t["general"]["password"]], t["authentication"]["login"],
            [t["authentication"]["forgotPasswordQuestion"]])
        yield "error", t["general"]["notFound"] + " - Payload", error(
            t["general"]["nothingFound"], t["error"]["notFound"])


@system("phpmyadmin")
def phpmyadmin(root, language):
    t = messages(root, "usr/share/phpmyadmin/locale/{}/LC_MESSAGES/phpmyadmin.mo", language,
                 source=True)
    if t and t("Username:") and t("Password:") and t("Log in"):
        welcome = plain((t("Welcome to %s") or "Welcome to %s").replace("%s", "phpMyAdmin"))
        yield "login", "phpMyAdmin", f"<h1>{welcome}</h1>" + login(
            t("Log in"), [t("Username:"), t("Password:")], t("Log in"), by_value=True,
            before=[(t("Language") or "Language") + " (Language) English"])


@system("dokuwiki")
def dokuwiki(root, language):
    at = "usr/share/dokuwiki/inc/lang/{}/"
    t = pairs(root, at + "lang.php", language, r"^\$lang\['(\w+)'\]\s*=\s*'((?:[^'\\]|\\.)*)'")
    if not t or "btn_login" not in t:
        return
    form = login("", [t["user"], t["pass"]], t["btn_login"], [t["remember"], t["btn_resendpwd"]])
    for name, kind in (("login", "login"), ("denied", "login error")):
        path = path_of(root, at + name + ".txt", language)
        if path:
            head, _, text = text_of(path).partition("\n")
            heading = head.strip("\ufeff= \r")
            body = error(heading, text.strip())
            yield kind, f"start [{SITE}]", body + form


@system("postfixadmin")
def postfixadmin(root, language):
    t = pairs(root, "usr/share/postfixadmin/languages/{}.lang", language,
              r"^\$PALANG\['(\w+)'\]\s*=\s*['\"]((?:[^'\\]|\\.)*?)['\"];")
    if t and "pLogin_button" in t:
        yield "login", f"Postfix Admin - {SITE}", login(
            t["pLogin_welcome"], [t["pLogin_username"], t["password"]], t["pLogin_button"],
            [t["pLogin_login_users"]], [t["pLogin_language"]], by_value=True)


@system("request-tracker5")
def rt(root, language):
    t = messages(root, "usr/share/request-tracker5/po/{}.po", language, source=True)
    if t and t("Username") and t("Password") and t("Login"):
        yield "login", t("Login"), login(
            t("Login"), [t("Username") + ":", t("Password") + ":"], t("Login"), by_value=True,
            after=["»|« RT 5.0.3 Copyright 1996-2022 Best Practical Solutions, LLC."])


@system("tt-rss")
def ttrss(root, language):
    t = messages(root, "usr/share/tt-rss/www/locale/{}/LC_MESSAGES/messages.mo", language,
                 source=True)
    if t and t("Login:") and t("Password:") and t("Log in"):
        yield "login", "Tiny Tiny RSS : Login", login(
            "Tiny Tiny RSS", [t("Login:"), t("Password:")], t("Log in"),
            [t("I forgot my password"), t("Use less traffic"), t("Remember me")])


@system("python3-django-allauth")
def allauth(root, language):
    t = messages(root, "usr/lib/python3/dist-packages/allauth/locale/{}/LC_MESSAGES/django.mo",
                 language, source=True)
    if t and t("Sign In") and t("Username") and t("Password"):
        yield "login", t("Sign In"), login(
            t("Sign In"), [t("Username") + ":", t("Password") + ":"], t("Sign In"),
            [t("Remember Me"), t("Forgot Password?")])


@system("npm:keycloakify")
def keycloak(root, language):
    t = javascript(root, "login/i18n/messages_defaultSet/{}.js", language)
    if not t:
        return
    yield "login", plain(t["loginTitle"]), login(
        plain(t["loginAccountTitle"]), [t["usernameOrEmail"], t["password"]], t["doLogIn"],
        [t["rememberMe"], t["doForgotPassword"], t["noAccount"] + " " + t["doRegister"]],
        by_value=True)
    yield "error", plain(t["loginTitle"]), error(
        plain(t["errorTitle"]), t.get("pageNotFound") or t["invalidRequestMessage"],
        plain(html.unescape(t["backToApplication"])))


@system("npm:@okta/okta-signin-widget")
def okta(root, language):
    path = path_of(root, "dist/labels/json/login_{}.json", language)
    if language == "en":
        path = os.path.join(root, "dist/labels/json/login.json")
    if path:
        t = json.loads(text_of(path))
        yield "login", f"{SITE} - " + t["primaryauth.title"], login(
            t["primaryauth.title"],
            [t["primaryauth.username.placeholder"], t["primaryauth.password.placeholder"]],
            t["primaryauth.submit"], [t["remember"], t["needhelp"]], by_value=True)


@system("npm:@clerk/localizations")
def clerk(root, language):
    path = path_of(root, "dist/{}*.js", language)
    t = javascript(root, os.path.relpath(path, root), language,
                   "Object.values({...m, ...m.default}).find(x => x?.signIn)") if path else None
    if t and "signIn" in t:
        start = t["signIn"]["start"]
        yield "login", SITE, login(
            plain(start["title"]),
            [t["formFieldLabel__emailAddress"], t["formFieldLabel__password"]],
            t["formButtonPrimary"], [f"{start['actionText']} {start['actionLink']}"],
            [plain(start["subtitle"])])


@system("npm:tarteaucitronjs")
def tarteaucitron(root, language):
    t = javascript(root, "lang/tarteaucitron.{}.js", language, "globalThis.tarteaucitron.lang")
    if t:
        yield "consent", SITE, dialog("", t["alertBigPrivacy"],
                                      [t["acceptAll"], t.get("denyAll"), t["personalize"]])


@system("npm:klaro")
def klaro(root, language):
    import yaml

    path = path_of(root, "src/translations/{}.yml", language)
    if path:
        t = yaml.safe_load(text_of(path))
        notice = t["consentNotice"]
        purposes = ", ".join(p["title"] for p in t["purposes"].values() if isinstance(p, dict))
        text = re.sub(r"\{purposes\}", purposes, notice["description"])
        yield "consent", SITE, dialog(notice.get("title", ""), plain(text),
                                      [notice["learnMore"], t["decline"], t["ok"]])


@system("npm:@strapi/admin")
def strapi(root, language):
    t = javascript(root, "dist/admin/admin/src/translations/{}.json.js", language)
    if t and "Auth.form.password.label" in t or t and "Auth.form.email.label" in t:
        words = {"en": "Password"}
        password = t.get("Auth.form.password.label") or t.get("global.password") or words["en"]
        yield "login", "Strapi Admin", login(
            t["Auth.form.welcome.title"], [t["Auth.form.email.label"], password],
            t["Auth.form.button.login"], [t["Auth.link.forgot-password"]],
            [t["Auth.form.welcome.subtitle"]])


@system("npm:@directus/app")
def directus(root, language):
    for path in sorted(glob.glob(root + "/dist/assets/*.js")):
        name = os.path.basename(path)
        full = {"en": "en-US", "pt": "pt-BR", "zh": "zh-CN", "ja": "ja-JP", "cs": "cs-CZ",
                "sv": "sv-SE"}.get(language, f"{language}-{language.upper()}")
        if name.startswith(full + "-"):
            t = dict(re.findall(r"[,{](\w+):`((?:[^`\\]|\\.)*)`", text_of(path)))
            if "page_not_found_body" in t:
                yield "error", t["page_not_found"] + " · Directus", error(
                    t["page_not_found"], t["page_not_found_body"])
                if "sign_in" in t:
                    yield "login", t["sign_in"] + " · Directus", login(
                        t["sign_in"], [t["email"], t["password"]], t["sign_in"],
                        [t.get("forgot_password")])
                return


@system("npm:@nuxt/ui-templates")
def nuxt(root, language):
    if language == "en":
        for status in ("404", "500"):
            text = text_of(os.path.join(root, f"dist/templates/error-{status}.vue"))
            t = dict(re.findall(r'(\w+): \{\s*type: \w+,\s*default: "(.*?)"', text))
            yield "error", f"{status} - {t['statusMessage']} | Nuxt", error(
                status, t["description"], t.get("backHome", ""))


@system("npm:@logto/phrases-experience")
def logto(root, language):
    at = "lib/locales/{}/"
    t = {part: javascript(root, at + part + ".js", language) for part in
         ("action", "description", "input")}
    if all(t.values()):
        yield "login", t["action"]["sign_in"], login(
            t["description"]["sign_in_to_your_account"],
            [t["input"]["username"], t["input"]["password"]], t["action"]["sign_in"],
            [t["action"]["forgot_password"]])
        yield "error", "404", error(t["description"]["not_found"])
