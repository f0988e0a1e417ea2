// Go's crypto/x509 and crypto/tls behind five verbs, on loopback. Every line that comes is sent back.
//
//	peer issue ALG PREFIX                      PREFIX-root.pem, PREFIX.pem, PREFIX.key
//	peer verify LEAF ROOT                      status 1 if the leaf does not hold
//	peer serve GROUP CERT KEY CLIENT-ROOT      prints the address; clients must show a certificate
//	peer connect GROUP ADDRESS ROOT CERT KEY   sends a line and prints what comes back
package main

import (
	"bufio"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/mldsa"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"time"
)

var groups = map[string]tls.CurveID{
	"X25519MLKEM768":     tls.X25519MLKEM768,
	"SecP256r1MLKEM768":  tls.SecP256r1MLKEM768,
	"SecP384r1MLKEM1024": tls.SecP384r1MLKEM1024,
	"MLKEM1024":          tls.MLKEM1024,
}

func main() {
	if len(os.Args) < 4 {
		fail(fmt.Errorf("usage: peer issue|verify|serve|connect ..."))
	}
	args := os.Args[2:]
	var err error
	switch os.Args[1] {
	case "issue":
		err = issue(args[0], args[1])
	case "verify":
		err = verify(args[0], args[1])
	case "serve":
		err = serve(args[0], args[1], args[2], args[3])
	case "connect":
		err = connect(args[0], args[1], args[2], args[3], args[4])
	}
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func generate(alg string) (crypto.Signer, error) {
	switch alg {
	case "ML-DSA-44":
		return mldsa.GenerateKey(mldsa.MLDSA44())
	case "ML-DSA-65":
		return mldsa.GenerateKey(mldsa.MLDSA65())
	case "ML-DSA-87":
		return mldsa.GenerateKey(mldsa.MLDSA87())
	case "ECDSA-P-256":
		return ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	case "Ed25519":
		_, key, err := ed25519.GenerateKey(rand.Reader)
		return key, err
	}
	return nil, fmt.Errorf("no such algorithm here: %s", alg)
}

func template(name string, authority bool) *x509.Certificate {
	made := &x509.Certificate{
		SerialNumber:          big.NewInt(time.Now().UnixNano()),
		Subject:               pkix.Name{CommonName: name},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(24 * time.Hour),
		BasicConstraintsValid: true,
		IsCA:                  authority,
	}
	if authority {
		made.KeyUsage = x509.KeyUsageCertSign
		return made
	}
	made.KeyUsage = x509.KeyUsageDigitalSignature
	made.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	made.DNSNames = []string{"localhost"}
	made.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	return made
}

func issue(alg, prefix string) error {
	above, err := generate(alg)
	if err != nil {
		return err
	}
	own, err := generate(alg)
	if err != nil {
		return err
	}
	root, leaf := template("root", true), template("localhost", false)
	if err := issued(prefix+"-root.pem", root, root, above.Public(), above); err != nil {
		return err
	}
	if err := issued(prefix+".pem", leaf, root, own.Public(), above); err != nil {
		return err
	}
	der, err := x509.MarshalPKCS8PrivateKey(own)
	if err != nil {
		return err
	}
	return write(prefix+".key", "PRIVATE KEY", der)
}

func issued(path string, made, parent *x509.Certificate, key crypto.PublicKey, by crypto.Signer) error {
	der, err := x509.CreateCertificate(rand.Reader, made, parent, key, by)
	if err != nil {
		return err
	}
	return write(path, "CERTIFICATE", der)
}

func write(path, label string, der []byte) error {
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: label, Bytes: der}), 0o600)
}

func pool(path string) (*x509.CertPool, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("no certificate in %s", path)
	}
	return pool, nil
}

func verify(leaf, root string) error {
	roots, err := pool(root)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(leaf)
	if err != nil {
		return err
	}
	block, _ := pem.Decode(text)
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return err
	}
	_, err = cert.Verify(x509.VerifyOptions{Roots: roots, DNSName: "localhost"})
	return err
}

func config(group, cert, key, root string) (*tls.Config, error) {
	id, known := groups[group]
	if !known {
		return nil, fmt.Errorf("no such group here: %s", group)
	}
	own, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, err
	}
	roots, err := pool(root)
	if err != nil {
		return nil, err
	}
	return &tls.Config{
		MinVersion:       tls.VersionTLS13,
		CurvePreferences: []tls.CurveID{id},
		Certificates:     []tls.Certificate{own},
		RootCAs:          roots,
		ClientCAs:        roots,
		ClientAuth:       tls.RequireAndVerifyClientCert,
		ServerName:       "localhost",
	}, nil
}

func serve(group, cert, key, root string) error {
	with, err := config(group, cert, key, root)
	if err != nil {
		return err
	}
	listening, err := tls.Listen("tcp", "127.0.0.1:0", with)
	if err != nil {
		return err
	}
	fmt.Println("listening on", listening.Addr())
	for {
		stream, err := listening.Accept()
		if err != nil {
			return err
		}
		line, err := bufio.NewReader(stream).ReadString('\n')
		if err == nil {
			fmt.Fprint(stream, line)
		}
		stream.Close()
	}
}

func connect(group, address, root, cert, key string) error {
	with, err := config(group, cert, key, root)
	if err != nil {
		return err
	}
	stream, err := tls.Dial("tcp", address, with)
	if err != nil {
		return err
	}
	defer stream.Close()
	fmt.Fprintln(stream, "hello from Go")
	line, err := bufio.NewReader(stream).ReadString('\n')
	fmt.Print(line)
	return err
}
