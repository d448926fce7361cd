import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Properties;
import javax.servlet.DispatcherType;
import org.apache.solr.servlet.CoreContainerProvider;
import org.apache.solr.servlet.SolrDispatchFilter;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.DefaultServlet;
import org.eclipse.jetty.servlet.ServletContextHandler;

/** Runs Solr with the core products in the folder it is given, prints its address, and ends with its input. */
public class Solr {
    static final String CONFIG = """
        <config>
          <luceneMatchVersion>9.12</luceneMatchVersion>
          <schemaFactory class="ClassicIndexSchemaFactory"/>
          <updateHandler class="solr.DirectUpdateHandler2"/>
          <requestHandler name="/select" class="solr.SearchHandler"/>
        </config>
        """;
    static final String SCHEMA = """
        <schema name="products" version="1.6">
          <uniqueKey>id</uniqueKey>
          <fieldType name="string" class="solr.StrField"/>
          <fieldType name="text" class="solr.TextField">
            <analyzer><tokenizer name="standard"/><filter name="lowercase"/></analyzer>
          </fieldType>
          <field name="id" type="string" required="true"/>
          <field name="title" type="text"/>
          <field name="category" type="text"/>
        </schema>
        """;

    static void writeCore(Path home) throws Exception {
        Path conf = Files.createDirectories(home.resolve("products/conf"));
        Files.writeString(home.resolve("solr.xml"), "<solr/>");
        Files.writeString(home.resolve("products/core.properties"), "name=products");
        Files.writeString(conf.resolve("solrconfig.xml"), CONFIG);
        Files.writeString(conf.resolve("schema.xml"), SCHEMA);
    }

    /** Adds Solr's filter to the server, as its own web.xml does. */
    static void addSolr(Server server, String home) {
        System.setProperty("solr.install.dir", home);
        System.setProperty("solr.log.dir", home);
        ServletContextHandler root = new ServletContextHandler(server, "/solr", ServletContextHandler.SESSIONS);
        root.setAttribute(SolrDispatchFilter.PROPERTIES_ATTRIBUTE, new Properties());
        root.setAttribute(SolrDispatchFilter.SOLRHOME_ATTRIBUTE, home);
        root.addEventListener(new CoreContainerProvider());
        root.addFilter(SolrDispatchFilter.class, "/*", EnumSet.of(DispatcherType.REQUEST));
        root.addServlet(DefaultServlet.class, "/");
    }

    /** Cores load in the background: Solr answers 503 until then. */
    static void await(String address) throws Exception {
        URL probe = URI.create(address + "/products/select?q=id:none").toURL();
        while (((HttpURLConnection) probe.openConnection()).getResponseCode() == 503) {
            Thread.sleep(100);
        }
    }

    public static void main(String[] args) throws Exception {
        writeCore(Path.of(args[0]));
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        connector.open();
        addSolr(server, args[0]);
        server.setStopAtShutdown(true);
        server.start();
        String address = "http://127.0.0.1:" + connector.getLocalPort() + "/solr";
        await(address);
        System.out.println("READY " + address);
        while (System.in.read() >= 0) { }
        System.exit(0);
    }
}
